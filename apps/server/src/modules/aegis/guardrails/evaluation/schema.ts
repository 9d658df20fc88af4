/** A dry run of guardrails on samples or on recorded calls. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { CreateGuardrail } from '../declared/schema.ts'
import { combinedDecisions, trustLevels } from '../declared/words.ts'

const Label = Type.String({ minLength: 1, maxLength: 300 })
const Count = Type.Integer({ minimum: 0 })
const Text = Type.String({ maxLength: 65_536 })
const Short = (maxLength: number) => Type.Optional(Type.String({ minLength: 1, maxLength }))

const { name: _name, slug: _slug, ...drafted } = CreateGuardrail.properties
const Draft = strictObject({ ...drafted, name: Type.Optional(CreateGuardrail.properties.name) })

const Sample = strictObject({
  id: Short(128),
  agent_id: Type.Optional(Uuid),
  session: Short(128),
  server: Short(64),
  server_trust: Type.Optional(oneOf(...trustLevels)),
  tool: Short(256),
  tool_labels: Type.Optional(Type.Array(Label, { maxItems: 20 })),
  session_labels: Type.Optional(Type.Array(Label, { maxItems: 50 })),
  args: Type.Optional(
    Type.Record(Type.String({ maxLength: 256 }), Type.Unknown(), { description: 'Arguments of the tool' }),
  ),
  text: Type.Optional(Text),
  expected: Type.Optional(oneOf('match', 'no_match')),
})
export type Sample = Static<typeof Sample>

const Window = strictObject({
  from: Timestamp,
  to: Timestamp,
  agent_id: Type.Optional(Uuid),
  server: Short(64),
  tool: Short(256),
})
export type Window = Static<typeof Window>

export const Evaluate = strictObject({
  guardrail: Type.Optional(Draft),
  guardrail_id: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 36, description: 'The guardrail that the draft is to be a version of' }),
  ),
  guardrail_ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: 100, description: 'Stored guardrails in their newest version' }),
  ),
  samples: Type.Optional(Type.Array(Sample, { minItems: 1, maxItems: 1_000 })),
  window: Type.Optional(Window),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
})
export type Evaluate = Static<typeof Evaluate>

const Counts = strictObject({
  items: Count,
  evaluated: Type.Integer({ minimum: 0, description: 'Items that the target is about' }),
  matched: Count,
  undecided: Type.Integer({
    minimum: 0,
    description: 'Recorded calls without the arguments or texts that a check reads; they count as not matched',
  }),
  errors: Count,
})

const Confusion = strictObject({
  true_positive: Count,
  false_positive: Count,
  false_negative: Count,
  true_negative: Count,
  unlabeled: Count,
})

const Difference = strictObject({
  only_draft: Type.Integer({ minimum: 0, description: 'Matched by this and not by what runs' }),
  only_running: Count,
  both: Count,
  neither: Count,
})

const Affected = strictObject({ name: Type.String({ maxLength: 600 }), matched: Count, items: Count })

const Example = strictObject({
  id: Type.String({ maxLength: 128 }),
  agent_id: nullable(Uuid),
  session: nullable(Type.String({ maxLength: 128 })),
  server: nullable(Type.String({ maxLength: 256 })),
  tool: nullable(Type.String({ maxLength: 256 })),
  decision: oneOf(...combinedDecisions),
  matched: Type.Array(Type.String({ maxLength: 120, description: 'Names of guardrails' })),
  running: Type.Boolean({ description: 'The running version matches it, too' }),
})

export const EvaluationReport = strictObject({
  source: oneOf('samples', 'recorded'),
  status: oneOf('complete', 'partial'),
  counts: Counts,
  decisions: strictObject(
    Object.fromEntries(combinedDecisions.map((decision) => [decision, Count])) as Record<
      (typeof combinedDecisions)[number],
      typeof Count
    >,
  ),
  confusion: Confusion,
  diff: Difference,
  agents: Type.Array(Affected, { maxItems: 20 }),
  tools: Type.Array(Affected, { maxItems: 20 }),
  examples: Type.Array(Example, { maxItems: 50 }),
  next_cursor: nullable(Type.String({ maxLength: 512 })),
})
export type EvaluationReport = Static<typeof EvaluationReport>
