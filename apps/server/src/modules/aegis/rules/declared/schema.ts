/** Detection rules as they are stored, shown and changed. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { GroupValue, NewSuppression, Tag } from '../../alerts/declared/schema.ts'
import { severities } from '../../alerts/declared/words.ts'
import { categories, correlationTypes, ruleSources, ruleStatuses, ruleTypes } from './words.ts'

export const mostGroupFields = 5
export const mostSuppressions = 50

const Name = Type.String({ minLength: 1, maxLength: 160 })
const Description = Type.String({ maxLength: 4000 })
const Condition = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'CEL over `event`, which has `channel`, `subject`, `time` and `data`',
})
export const FieldPath = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*$', maxLength: 128 })
const Detection = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.Unknown(), {
  maxProperties: 50,
  description: 'Selections and `condition` in the form of Sigma',
})
const GroupFields = Type.Array(FieldPath, { maxItems: mostGroupFields, uniqueItems: true })
const Window = Type.Integer({ minimum: 10, maximum: 86_400 })
const Threshold = Type.Number({ minimum: 1, maximum: 10_000 })
const Cooldown = Type.Integer({ minimum: 0, maximum: 604_800 })
const Tags = Type.Array(Tag, { maxItems: 20, uniqueItems: true })

/** A condition on one event. */
export const Source = strictObject({
  name: Type.String({ minLength: 1, maxLength: 160 }),
  category: oneOf(...categories),
  condition: nullable(Condition),
  detection: nullable(Detection),
})
export type Source = Static<typeof Source>

/** Within what JSON keeps exactly. */
const Bound = Type.Optional(Type.Number({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }))

export const Bounds = strictObject({ gt: Bound, gte: Bound, lt: Bound, lte: Bound, eq: Bound })
export type Bounds = Static<typeof Bounds>

/** How matching events are brought together. */
export const Correlation = strictObject({
  type: oneOf(...correlationTypes),
  field: nullable(FieldPath),
  percentile: nullable(Type.Number({ minimum: 0, maximum: 100 })),
  bounds: Bounds,
  /** By field of the group: the field's name in each source, by the source's name. */
  aliases: Type.Record(Type.String({ maxLength: 128 }), Type.Record(Type.String({ maxLength: 160 }), FieldPath)),
})
export type Correlation = Static<typeof Correlation>

/** Everything that the engine needs of a rule; other columns are for people. */
export const Definition = strictObject({
  type: oneOf(...ruleTypes),
  /** None for rules whose alerts are opened by their module. */
  sources: Type.Array(Source, { maxItems: 20 }),
  group_by: GroupFields,
  window_seconds: nullable(Window),
  threshold: nullable(Threshold),
  field: nullable(FieldPath),
  correlation: nullable(Correlation),
})
export type Definition = Static<typeof Definition>

const stored = {
  name: Name,
  description: nullable(Description),
  type: oneOf(...ruleTypes),
  source: oneOf(...ruleSources),
  category: oneOf(...categories),
  definition: Definition,
  cooldown_seconds: Cooldown,
  level: oneOf(...severities),
  tags: Tags,
  status: oneOf(...ruleStatuses),
}

export const RuleRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  /** Key of the shipped rule; null for a rule of the tenant. */
  pack_key: nullable(Type.String({ maxLength: 64 })),
  /** Version of the pack that the row was written from. */
  pack_version: nullable(Type.String({ maxLength: 64 })),
  source_text: nullable(Type.String({ maxLength: 65_536 })),
  /** Beginnings of the channels whose events it looks at; none while it is not enabled. */
  channels: Type.Array(Type.String()),
})
export type RuleRow = Static<typeof RuleRow>

export const SuppressionRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  rule_id: Uuid,
  match: Type.Record(Type.String({ maxLength: 128 }), GroupValue),
  reason: Type.String({ maxLength: 500 }),
  expires_at: Timestamp,
  created_by: Uuid,
  created_at: Timestamp,
  hits: Type.Integer({ minimum: 0 }),
  last_hit_at: nullable(Timestamp),
})
export type SuppressionRow = Static<typeof SuppressionRow>

const { tenant_id: _tenant, rule_id: _rule, ...suppression } = SuppressionRow.properties
export const Suppression = strictObject(suppression)

/** How a rule has done so far. */
export const HealthRow = strictObject({
  tenant_id: Uuid,
  rule_id: Uuid,
  events: Type.Integer({ minimum: 0 }),
  matches: Type.Integer({ minimum: 0 }),
  late: Type.Integer({ minimum: 0 }),
  errors: Type.Integer({ minimum: 0 }),
  groups: Type.Integer({ minimum: 0 }),
  /** Evaluations by duration: at place n those of less than 2^n microseconds. */
  durations: Type.Array(Type.Integer({ minimum: 0 })),
  last_match_at: nullable(Timestamp),
})
export type HealthRow = Static<typeof HealthRow>

/** State of one group of a rule. */
export const StateRow = strictObject({
  tenant_id: Uuid,
  rule_id: Uuid,
  group_key: Type.String({ maxLength: 64 }),
  state: Type.Unknown({ jsonb: true }),
  last_seen: Timestamp,
  /** When it may be forgotten. */
  expires_at: Timestamp,
  /** When the absence of an event is an alert; null where it is none. */
  due_at: nullable(Timestamp),
})
export type StateRow = Static<typeof StateRow>

/** Until when the rules of a tenant have looked at its events. */
export const WatchRow = strictObject({ tenant_id: Uuid, watched_at: Timestamp })

export const Health = strictObject({
  events: Type.Integer({ minimum: 0, description: 'Events that the rule was asked about' }),
  matches: Type.Integer({ minimum: 0 }),
  late: Type.Integer({ minimum: 0, description: 'Events that came too late for their window' }),
  errors: Type.Integer({ minimum: 0, description: 'Events that the condition could not decide' }),
  groups: Type.Integer({ minimum: 0 }),
  fp_ratio: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'False positives among resolved alerts' })),
  p99_us: nullable(Type.Integer({ minimum: 0, description: 'Microseconds, rounded up to a power of two' })),
  last_match_at: nullable(Timestamp),
})

const { definition: _definition, ...shown } = stored
export const Rule = resource({
  ...shown,
  condition: nullable(Condition),
  detection: nullable(Detection),
  group_by: GroupFields,
  window_seconds: nullable(Window),
  threshold: nullable(Threshold),
  field: nullable(FieldPath),
  correlation: nullable(Correlation),
  sources: Type.Array(Source, { maxItems: 20 }),
  source_text: nullable(Type.String({ maxLength: 65_536 })),
  suppressions: Type.Array(Suppression, { maxItems: mostSuppressions }),
  health: Health,
})
export type Rule = Static<typeof Rule>

const { source_text: _text, ...brief } = Rule.properties
export const ListedRule = listed(strictObject(brief))
export type ListedRule = Omit<Static<typeof ListedRule>, 'etag'>

const writable = {
  description: Type.Optional(nullable(Description)),
  condition: Type.Optional(nullable(Condition)),
  detection: Type.Optional(nullable(Detection)),
  group_by: Type.Optional(GroupFields),
  window_seconds: Type.Optional(nullable(Window)),
  threshold: Type.Optional(nullable(Threshold)),
  field: Type.Optional(nullable(FieldPath)),
  cooldown_seconds: Type.Optional(Cooldown),
  level: Type.Optional(oneOf(...severities)),
  tags: Type.Optional(Tags),
}

/** A native rule, or text in the form of Sigma. */
export const NewRule = strictObject({
  ...writable,
  name: Type.Optional(Name),
  type: Type.Optional(oneOf(...ruleTypes)),
  category: Type.Optional(oneOf(...categories)),
  sources: Type.Optional(Type.Array(Source, { minItems: 1, maxItems: 20 })),
  correlation: Type.Optional(nullable(Correlation)),
  format: Type.Optional(oneOf('sigma')),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 4_194_304, description: 'YAML of up to 500 documents' })),
  dry_run: Type.Optional(Type.Boolean({ description: 'Check the text and store nothing' })),
})
export type NewRule = Static<typeof NewRule>

export const PatchRule = strictObject({
  ...writable,
  name: Type.Optional(Name),
  status: Type.Optional(oneOf(...ruleStatuses)),
  suppressions: Type.Optional(
    Type.Array(strictObject({ id: Type.Optional(Uuid), ...NewSuppression.properties }), {
      maxItems: mostSuppressions,
      description: 'The whole list: those with a known id stay as they are, those that are not named end',
    }),
  ),
})
export type PatchRule = Static<typeof PatchRule>

export const RefusedRule = strictObject({
  document: Type.Integer({ minimum: 1, description: 'Place in the text' }),
  rule: nullable(Type.String({ maxLength: 256, description: 'Title' })),
  construct: Type.String({ maxLength: 128 }),
  pointer: Type.String({ maxLength: 512, description: 'JSON pointer in the document' }),
  detail: Type.String({ maxLength: 1000 }),
})
export type RefusedRule = Static<typeof RefusedRule>

export const ImportReport = strictObject({
  dry_run: Type.Boolean(),
  documents: Type.Integer({ minimum: 0 }),
  created: Type.Array(
    strictObject({ id: nullable(Uuid), name: Name, type: oneOf(...ruleTypes), level: oneOf(...severities) }),
    { maxItems: 500 },
  ),
  embedded: Type.Array(Type.String({ maxLength: 256 }), {
    maxItems: 500,
    description: 'Rules that are used by a correlation only and open no alerts of their own',
  }),
  refused: Type.Array(RefusedRule, { maxItems: 500 }),
})
export type ImportReport = Static<typeof ImportReport>

export const RuleFilter = strictObject({
  status: Type.Optional(oneOf(...ruleStatuses)),
  source: Type.Optional(oneOf(...ruleSources)),
  type: Type.Optional(oneOf(...ruleTypes)),
  category: Type.Optional(oneOf(...categories)),
  tag: Type.Optional(Tag),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of a word of the name' })),
})
export type RuleFilter = Static<typeof RuleFilter>
