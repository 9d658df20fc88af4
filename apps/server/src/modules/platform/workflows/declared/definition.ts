/** The form of a workflow's definition: its trigger, and a graph of steps. */
import Type, { type Static, type TObject } from 'typebox'
import { oneOf, strictObject, Uuid } from '../../../../kernel/schema/types.ts'
import { reportFormats, reportKinds } from '../../declared/report-words.ts'
import { categories, severities } from '../../declared/words.ts'
import { Recipients } from '../../notifications/schema.ts'

export const stepTypes = [
  'condition',
  'set',
  'notify',
  'http',
  'create_ticket',
  'approve',
  'set_kill_switch',
  'run_assessment',
  'recalculate_trust',
  'quarantine_agent',
  'generate_report',
  'delay',
  'for_each',
] as const
export type StepType = (typeof stepTypes)[number]

/** Text with `${{ CEL }}` in it. */
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Expression = Type.String({ minLength: 1, maxLength: 2_000 })
const Id = Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z][a-z0-9_]*$' })

const http = strictObject({
  method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  url: Text(2_000),
  headers: Type.Optional(
    Type.Record(Type.String({ maxLength: 60, pattern: '^[A-Za-z][A-Za-z0-9-]*$' }), Text(1_000), { maxProperties: 20 }),
  ),
  body: Type.Optional(Text(20_000)),
})

const killSwitch = strictObject({
  action: oneOf('activate', 'deactivate'),
  kill_switch_id: Type.Optional(Text(200)),
  scope: Type.Optional(Text(200)),
  value: Type.Optional(Text(500)),
  level: Type.Optional(oneOf('block_new', 'hard')),
  reason: Text(500),
  expires_in_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 2_592_000 })),
})

const approve = strictObject({
  title: Text(200),
  approvers: strictObject({
    user_ids: Type.Optional(Type.Array(Uuid, { maxItems: 50 })),
    roles: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 10 })),
  }),
  quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  expires_in_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 2_592_000 })),
})

/** The members of `with`, by the type of the step. */
export const stepInputs = {
  condition: strictObject({ expression: Expression }),
  set: strictObject({ values: Type.Record(Type.String({ maxLength: 40 }), Text(2_000), { maxProperties: 20 }) }),
  notify: strictObject({
    title: Text(1_000),
    body: Text(4_000),
    severity: oneOf(...severities),
    category: Type.Optional(oneOf(...categories)),
    recipients: Recipients,
    integration_ids: Type.Optional(Type.Array(Uuid, { maxItems: 10 })),
  }),
  http,
  create_ticket: strictObject({
    integration_id: Uuid,
    title: Text(1_000),
    body: Text(4_000),
    severity: Type.Optional(oneOf(...severities)),
    key: Type.Optional(Text(500)),
  }),
  approve,
  set_kill_switch: killSwitch,
  run_assessment: strictObject({ name: Text(200), framework_ids: Type.Array(Uuid, { minItems: 1, maxItems: 20 }) }),
  recalculate_trust: strictObject({}),
  quarantine_agent: strictObject({ agent_id: Text(500), reason: Text(500) }),
  generate_report: strictObject({
    kind: oneOf(...reportKinds),
    title: Type.Optional(Text(200)),
    formats: Type.Array(oneOf(...reportFormats), { minItems: 1, maxItems: 5 }),
  }),
  delay: strictObject({ seconds: Type.Integer({ minimum: 1, maximum: 2_592_000 }) }),
  for_each: strictObject({
    items: Type.String({ minLength: 1, maxLength: 2_000, description: 'CEL; a list of at most 100' }),
    type: oneOf('notify', 'create_ticket', 'set_kill_switch', 'quarantine_agent'),
    with: Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), { maxProperties: 20 }),
  }),
} as const satisfies Readonly<Record<StepType, TObject>>

export type StepInputs = { readonly [K in StepType]: Static<(typeof stepInputs)[K]> }

const Retry = strictObject({
  max_attempts: Type.Integer({ minimum: 1, maximum: 10 }),
  initial_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
  factor: Type.Optional(Type.Number({ minimum: 1, maximum: 10 })),
  max_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 86_400_000 })),
})

export const Step = strictObject({
  id: Id,
  type: oneOf(...stepTypes),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  depends_on: Type.Optional(Type.Array(Id, { maxItems: 20 })),
  if: Type.Optional(Expression),
  timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  retry: Type.Optional(Retry),
  on_error: Type.Optional(oneOf('fail', 'continue', 'goto')),
  goto: Type.Optional(Id),
  with: Type.Optional(Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), { maxProperties: 20 })),
})
export type Step = Static<typeof Step>

const Pattern = Type.String({ minLength: 1, maxLength: 100, pattern: '^(?:\\*|[a-z][a-z0-9_.]*(?:\\.\\*)?)$' })

export const Trigger = strictObject({
  type: oneOf('event', 'schedule', 'manual'),
  channels: Type.Optional(Type.Array(Pattern, { minItems: 1, maxItems: 20 })),
  filter: Type.Optional(Expression),
  cron: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  missed_runs: Type.Optional(oneOf('skip', 'run_once')),
  input: Type.Optional(
    Type.Array(
      strictObject({
        name: Id,
        type: oneOf('string', 'number', 'boolean'),
        required: Type.Optional(Type.Boolean()),
        description: Type.Optional(Type.String({ maxLength: 500 })),
      }),
      { maxItems: 20, description: 'Members of the input of a manual run' },
    ),
  ),
})
export type Trigger = Static<typeof Trigger>

export const Definition = strictObject({
  trigger: Trigger,
  steps: Type.Array(Step, { minItems: 1, maxItems: 50 }),
})
export type Definition = Static<typeof Definition>
