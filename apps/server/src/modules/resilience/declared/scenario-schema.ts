/** Scenarios: what fails, how it is injected, and what must hold meanwhile. Delays of faults are milliseconds. */
import Type, { type Static } from 'typebox'
import { seamNames } from '../../../kernel/faults/seams.ts'
import { listed, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { DurationLaw } from './model-schema.ts'

export const scenarioKinds = ['outage', 'degradation', 'data_loss', 'security', 'custom'] as const
export const scenarioStatuses = ['draft', 'approved', 'archived'] as const
export const metrics = ['calls', 'failed', 'error_rate', 'latency_p50_ms', 'latency_p95_ms', 'latency_p99_ms'] as const

export const FaultKind = oneOf(
  ...(['latency', 'first_token_delay', 'unavailable', 'timeout', 'blackhole'] as const),
  ...(['error', 'rate_limit', 'reset', 'malformed', 'duplicate'] as const),
)

export const FaultBody = strictObject({
  seam: oneOf(...seamNames),
  kind: FaultKind,
  targets: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^*]*\\*?$' }), {
      minItems: 1,
      maxItems: 20,
      description:
        'Of `upstream` `<provider>/<model>`, of `database` the path of a route, of `job` its kind, of `bus` the handler of the event, of `http_out` the work such as `platform.delivery`, else the operation; a `*` may stand at the end. Default: everything that is not protected',
    }),
  ),
  delay_ms: Type.Optional({ ...DurationLaw, description: 'Milliseconds, of latency and first_token_delay' }),
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599, description: 'Of error; default 500' })),
  retry_after_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3600 })),
  after_pieces: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: 'Of reset and malformed' })),
})
export type FaultBody = Static<typeof FaultBody>

const N = Type.Number({ minimum: -1e12, maximum: 1e12 })
const Text = Type.String({ maxLength: 500 })
const Scalar = Type.Union([Type.Boolean(), N, Text])

export const Tolerance = Type.Union([
  strictObject({ type: Type.Literal('max'), value: N }),
  strictObject({ type: Type.Literal('min'), value: N }),
  strictObject({ type: Type.Literal('range'), low: N, high: N }),
  strictObject({ type: Type.Literal('equals'), value: Scalar }),
  strictObject({ type: Type.Literal('one_of'), values: Type.Array(Scalar, { minItems: 1, maxItems: 50 }) }),
  strictObject({
    type: Type.Literal('regex'),
    pattern: Type.String({ minLength: 1, maxLength: 500 }),
    target: Type.Optional(oneOf('body', 'status')),
  }),
  strictObject({
    type: Type.Literal('jsonpath'),
    path: Type.String({ minLength: 1, maxLength: 200 }),
    expect: Type.Optional(Type.Array(Scalar, { minItems: 1, maxItems: 50 })),
  }),
])
export type Tolerance = Static<typeof Tolerance>

export const Probe = strictObject({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  kind: oneOf('metric', 'fact', 'http'),
  metric: Type.Optional(oneOf(...metrics)),
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Of metric: calls of this provider alone' }),
  ),
  window_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, description: 'Of metric; default 60' })),
  fact: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  pointer: Type.Optional(Type.String({ maxLength: 200, description: 'JSON Pointer into the fact' })),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  tolerance: Tolerance,
  hard: Type.Optional(Type.Boolean({ description: 'One breach aborts; others take two in a row' })),
})
export type Probe = Static<typeof Probe>

const Hypothesis = strictObject({
  title: Type.String({ minLength: 1, maxLength: 500 }),
  probes: Type.Array(Probe, { maxItems: 10 }),
})

const Failing = strictObject({
  service: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,61}\\*?$',
    maxLength: 63,
    description: 'Key; a `*` may stand at the end',
  }),
  at_minutes: Type.Number({ minimum: 0, maximum: 10_000_000 }),
})

const changeable = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String({ maxLength: 5000 }),
  kind: oneOf(...scenarioKinds),
  faults: Type.Array(FaultBody, { maxItems: 10 }),
  failing_services: Type.Array(Failing, { maxItems: 100, description: 'Services that fail in a simulation' }),
  hypothesis: Hypothesis,
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 20, uniqueItems: true }),
}

const NotExecutable = strictObject({
  pointer: Type.String({ maxLength: 300 }),
  name: Type.String({ maxLength: 500 }),
  reason: Type.String({ maxLength: 300 }),
})
export type NotExecutable = Static<typeof NotExecutable>

const Document = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { maxProperties: 100 })

export const NewScenario = strictObject({
  name: Type.Optional(changeable.name),
  description: Type.Optional(changeable.description),
  kind: Type.Optional(changeable.kind),
  faults: Type.Optional(changeable.faults),
  failing_services: Type.Optional(changeable.failing_services),
  hypothesis: Type.Optional(changeable.hypothesis),
  tags: Type.Optional(changeable.tags),
  import: Type.Optional(
    strictObject(
      { format: oneOf('chaostoolkit'), document: Document },
      { description: 'An experiment of the Chaos Toolkit; the other members overrule what is read from it' },
    ),
  ),
})
export type NewScenario = Static<typeof NewScenario>

export const PatchScenario = strictObject({
  name: Type.Optional(changeable.name),
  description: Type.Optional(changeable.description),
  kind: Type.Optional(changeable.kind),
  faults: Type.Optional(changeable.faults),
  failing_services: Type.Optional(changeable.failing_services),
  hypothesis: Type.Optional(changeable.hypothesis),
  tags: Type.Optional(changeable.tags),
  status: Type.Optional(oneOf(...scenarioStatuses)),
})
export type PatchScenario = Static<typeof PatchScenario>

export const ScenarioRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
  name: Type.String(),
  description: Type.String(),
  kind: oneOf(...scenarioKinds),
  status: oneOf(...scenarioStatuses),
  faults: Type.Array(FaultBody),
  failing_services: Type.Array(Failing),
  hypothesis: strictObject({ title: Type.String(), probes: Type.Array(Probe) }),
  tags: Type.Array(Type.String()),
  builtin: Type.Boolean(),
  chaostoolkit: nullable(Document),
  not_executable: Type.Array(NotExecutable),
  changed_by: nullable(Uuid),
  approved_by: nullable(Uuid),
})
export type ScenarioRow = Static<typeof ScenarioRow>

const { version: _version, chaostoolkit, ...shown } = ScenarioRow.properties
export const Scenario = strictObject({ ...shown, chaostoolkit: Type.Optional(chaostoolkit) })
export type Scenario = Static<typeof Scenario>
export const ListedScenario = listed(Scenario)
export type ListedScenario = Static<typeof ListedScenario>

export const ScenarioFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  kind: Type.Optional(oneOf(...scenarioKinds)),
  status: Type.Optional(oneOf(...scenarioStatuses)),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
})
export type ScenarioFilter = Static<typeof ScenarioFilter>
