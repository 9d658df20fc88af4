import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp } from '../../../../kernel/schema/types.ts'
import { FlagKey, Name, Rule } from './rules.ts'

export const Variant = strictObject({
  key: Name,
  value: Type.Unknown({ description: 'Of the flag’s `value_type`' }),
})
export type Variant = Static<typeof Variant>

const Prerequisite = strictObject({
  flag: FlagKey,
  variants: Type.Optional(
    Type.Array(Name, { maxItems: 50, description: 'One of these is served; default any but the off variant' }),
  ),
  negated: Type.Optional(Type.Boolean()),
})

/** Holds where all that it names fits. */
const Override = strictObject({
  tenant_id: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 36, description: 'Of flags of the platform only' }),
  ),
  targeting_key: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  variant: Name,
})

export const flagStatuses = ['draft', 'enabled', 'disabled', 'archived'] as const
export const valueTypes = ['boolean', 'string', 'number', 'object'] as const
export const hashModes = ['fine', 'unleash', 'flagd'] as const

const definition = {
  value_type: oneOf(...valueTypes),
  variants: Type.Array(Variant, { minItems: 1, maxItems: 50 }),
  default_variant: Name,
  off_variant: Name,
  rules: Type.Array(Rule, { maxItems: 100 }),
  prerequisites: Type.Array(Prerequisite, { maxItems: 20 }),
  overrides: Type.Array(Override, { maxItems: 500 }),
  hash_mode: oneOf(...hashModes),
}

export const FlagDefinition = strictObject({ key: FlagKey, status: oneOf(...flagStatuses), ...definition })
export type FlagDefinition = Static<typeof FlagDefinition>

const Scheduled = strictObject({
  at: Timestamp,
  change: strictObject({
    status: Type.Optional(oneOf('enabled', 'disabled')),
    default_variant: Type.Optional(Name),
    rule_id: Type.Optional(Name),
    rollout_percentage: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  }),
})
export type Scheduled = Static<typeof Scheduled>

const about = {
  name: nullable(Type.String({ minLength: 1, maxLength: 200, description: 'As another system called it' })),
  description: nullable(Type.String({ maxLength: 1000 })),
  owner: nullable(Type.String({ minLength: 1, maxLength: 200 })),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 20 }),
  schedule: Type.Array(Scheduled, { maxItems: 20 }),
  client_exposed: Type.Boolean({ description: 'May leave through the bulk evaluation of OFREP' }),
  expires_at: nullable(Timestamp),
}

export const FlagRow = resource({
  key: FlagKey,
  status: oneOf(...flagStatuses),
  ...definition,
  ...about,
  version: Type.Integer({ minimum: 1 }),
})
export type FlagRow = Static<typeof FlagRow>

const Exposure = strictObject({
  variant: Type.String({ maxLength: 100 }),
  count: Type.Integer({ minimum: 0 }),
})

// The version travels in the entity tag.
const { version: _version, ...shown } = FlagRow.properties

export const Flag = strictObject({
  ...shown,
  last_evaluated_at: nullable(Timestamp),
  exposures: Type.Array(Exposure, { maxItems: 60, description: 'Evaluations of the last 30 days by variant' }),
  stale: Type.Boolean({ description: 'Unchanged for long and nearly always the same variant, or past `expires_at`' }),
})
export type Flag = Static<typeof Flag>

export const TraceStep = strictObject({
  step: oneOf('status', 'prerequisite', 'override', 'rule', 'default'),
  name: Type.String({ maxLength: 200 }),
  matched: Type.Boolean(),
  detail: Type.String({ maxLength: 500 }),
})
export type TraceStep = Static<typeof TraceStep>

const Resolution = strictObject({
  value: Type.Unknown(),
  variant: nullable(Type.String({ maxLength: 100 })),
  reason: Type.String({ maxLength: 40 }),
  error_code: nullable(Type.String({ maxLength: 40 })),
  trace: Type.Array(TraceStep, { maxItems: 800 }),
})

export const Impact = strictObject({
  sample: Type.Integer({ minimum: 0, description: 'Contexts evaluated lately by this instance' }),
  changed: Type.Integer({ minimum: 0, description: 'Of these, how many would get another variant' }),
  moves: Type.Array(
    strictObject({
      from: Type.String({ maxLength: 100 }),
      to: Type.String({ maxLength: 100 }),
      count: Type.Integer({ minimum: 1 }),
    }),
    { maxItems: 200 },
  ),
})
export type Impact = Static<typeof Impact>

export const ExplainedFlag = strictObject({ ...Flag.properties, explanation: Type.Optional(Resolution) })
export const ChangedFlag = strictObject({
  ...Flag.properties,
  impact: Type.Optional(Impact),
  dry_run: Type.Optional(Type.Boolean()),
})

const changeable = {
  variants: Type.Optional(definition.variants),
  default_variant: Type.Optional(definition.default_variant),
  off_variant: Type.Optional(definition.off_variant),
  rules: Type.Optional(definition.rules),
  prerequisites: Type.Optional(definition.prerequisites),
  overrides: Type.Optional(definition.overrides),
  name: Type.Optional(about.name),
  description: Type.Optional(about.description),
  owner: Type.Optional(about.owner),
  tags: Type.Optional(about.tags),
  schedule: Type.Optional(about.schedule),
  client_exposed: Type.Optional(about.client_exposed),
  expires_at: Type.Optional(about.expires_at),
}

export const ImportRequest = strictObject({
  format: oneOf('unleash', 'flagd'),
  document: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown()),
  dry_run: Type.Optional(Type.Boolean()),
})
export type ImportRequest = Static<typeof ImportRequest>

/** Either a flag or an import; which members go together is judged by meaning. */
export const CreateFlag = strictObject({
  key: Type.Optional(FlagKey),
  value_type: Type.Optional(definition.value_type),
  hash_mode: Type.Optional(definition.hash_mode),
  status: Type.Optional(oneOf(...flagStatuses)),
  ...changeable,
  import: Type.Optional(ImportRequest),
})
export type CreateFlag = Static<typeof CreateFlag>

export const PatchFlag = strictObject({
  status: Type.Optional(oneOf('enabled', 'disabled', 'archived')),
  ...changeable,
  dry_run: Type.Optional(Type.Boolean()),
})
export type PatchFlag = Static<typeof PatchFlag>

const ImportedFlag = strictObject({
  name: Type.String({ maxLength: 300 }),
  key: FlagKey,
  outcome: oneOf('created', 'exists', 'refused'),
  warnings: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 }),
})
export type ImportedFlag = Static<typeof ImportedFlag>

export const ImportReport = strictObject({
  id: Type.String({ maxLength: 36 }),
  format: oneOf('unleash', 'flagd'),
  dry_run: Type.Boolean(),
  flags: Type.Array(ImportedFlag, { maxItems: 5000 }),
})
export type ImportReport = Static<typeof ImportReport>

const FlagScope = oneOf('tenant', 'platform')

/** Whose flag: the caller’s tenant’s, or one of the platform, which serves every tenant. */
export const OfScope = strictObject({ scope: Type.Optional(FlagScope) })
export type OfScope = Static<typeof OfScope>

export const FlagFilter = strictObject({
  scope: Type.Optional(FlagScope),
  status: Type.Optional(oneOf(...flagStatuses)),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  stale: Type.Optional(Type.Boolean()),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Part of the key' })),
})
export type FlagFilter = Static<typeof FlagFilter>
