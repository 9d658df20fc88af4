import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { RouteName } from '../route-model/schemas.ts'
import { Payload, RequestSummary } from '../schemas/request.ts'

const opt = Type.Optional
const printable = { minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' }
const Decimal = nullable(Type.String({ maxLength: 40, description: 'Decimal.' }))
const Milliseconds = nullable(Type.Number())

export const NewReplay = strictObject({
  model: opt(Type.String({ ...printable, description: 'Another model, or `provider/model`; default: the same.' })),
  route: opt(Type.String({ ...RouteName, description: 'The name of a route, in the place of a model.' })),
  policy_id: opt(Type.String({ minLength: 1, maxLength: 63, description: 'Id or name; it can only tighten.' })),
  policy_version: opt(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Of `policy_id`, in the place of its published version.',
    }),
  ),
  dry_run: opt(Type.Boolean({ description: 'Only the checks: no model is asked and nothing is paid or logged.' })),
})
export type NewReplay = Static<typeof NewReplay>

const facts = RequestSummary.properties

/** One side: the outcome of the call. */
export const ReplaySide = strictObject({
  id: nullable(Type.String({ ...Uuid, description: 'Of the log row; null for a dry run.' })),
  status: nullable(facts.status),
  decision: facts.decision,
  error_code: facts.error_code,
  blocked_step: facts.blocked_step,
  provider: facts.provider,
  model: facts.model,
  policies: facts.policies,
  security: facts.security,
  usage: facts.usage,
  cost: facts.cost,
  steps: facts.steps,
  timings: facts.timings,
  answer: nullable(Payload.properties.answer),
})
export type ReplaySide = Static<typeof ReplaySide>

export const TextChange = strictObject({ op: oneOf('same', 'removed', 'added'), text: Type.String() })
export type TextChange = Static<typeof TextChange>

const sides = <T extends Type.TSchema>(value: T) => ({ original: value, replay: value })

export const Replay = strictObject({
  id: ReplaySide.properties.id,
  original: ReplaySide,
  replay: ReplaySide,
  diff: strictObject({
    decision: strictObject({ ...sides(facts.decision), changed: Type.Boolean() }),
    text: nullable(strictObject({ changed: Type.Boolean(), changes: Type.Array(TextChange) })),
    cost: strictObject({ ...sides(Decimal), difference: Decimal, currency: nullable(Type.String({ maxLength: 3 })) }),
    latency_ms: strictObject({ ...sides(Milliseconds), difference: Milliseconds }),
  }),
})
export type Replay = Static<typeof Replay>
