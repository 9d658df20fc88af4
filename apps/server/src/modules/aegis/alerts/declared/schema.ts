/** Alerts as they are stored, shown, changed and announced. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { alertStatuses, resolutions, severities, slaTimers, timelineKinds } from './words.ts'

export const mostEvidence = 50
export const mostEntities = 50
export const mostRequests = 50

const Short = Type.String({ minLength: 1, maxLength: 256 })
const Comment = Type.String({ minLength: 1, maxLength: 4000 })
const Reason = Type.String({ minLength: 10, maxLength: 500 })

/** A thing that the alert is about. */
export const Entity = strictObject({
  type: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40 }),
  id: Short,
  name: nullable(Type.String({ maxLength: 256 })),
})
export type Entity = Static<typeof Entity>

/** One occurrence that was counted. */
export const Evidence = strictObject({
  id: Type.String({ maxLength: 128, description: 'Of the event, or of the record in its module' }),
  source: Type.String({ maxLength: 100, description: 'Channel of the event, or the kind of record' }),
  at: Timestamp,
  request_id: nullable(Type.String({ maxLength: 64, description: 'Of the gateway call' })),
  summary: Type.String({ maxLength: 300 }),
})
export type Evidence = Static<typeof Evidence>

/** Numbers of events are whole or decimal, within what JSON keeps exactly. */
const EventNumber = Type.Number({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
export const GroupValue = Type.Union([Type.String({ maxLength: 512 }), EventNumber, Type.Boolean(), Type.Null()])
export type GroupValue = Static<typeof GroupValue>
export const GroupBy = Type.Record(Type.String({ maxLength: 128 }), GroupValue)

export const Tag = Type.String({ minLength: 2, maxLength: 64 })

export const Sla = strictObject({
  ack_due: nullable(Timestamp),
  resolve_due: nullable(Timestamp),
  breached: Type.Array(oneOf(...slaTimers), { maxItems: 2 }),
})

const told = {
  rule_id: Uuid,
  severity: oneOf(...severities),
  status: oneOf(...alertStatuses),
  fingerprint: Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 }),
  count: Type.Integer({ minimum: 1 }),
  entities: Type.Array(Entity, { maxItems: mostEntities }),
  tags: Type.Array(Tag, { maxItems: 20 }),
}
const requestIds = Type.Array(Type.String({ maxLength: 64 }), { maxItems: mostRequests })

const stored = {
  ...told,
  rule_version: Type.Integer({ minimum: 1 }),
  title: Short,
  resolution: nullable(oneOf(...resolutions)),
  group_by: GroupBy,
  first_seen: Timestamp,
  last_seen: Timestamp,
  evidence: Type.Array(Evidence, { maxItems: mostEvidence }),
  request_ids: requestIds,
  assignee_user_id: nullable(Uuid),
  suppressed_by: nullable(Uuid),
  acknowledged_at: nullable(Timestamp),
  resolved_at: nullable(Timestamp),
  closed_at: nullable(Timestamp),
}

export const AlertRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  ack_due: nullable(Timestamp),
  resolve_due: nullable(Timestamp),
  breached: Type.Array(oneOf(...slaTimers)),
  suppressed_until: nullable(Timestamp),
  cooldown_seconds: Type.Integer({ minimum: 0 }),
  /** Milliseconds for which the SLA timers stood still. */
  paused_ms: Type.Integer({ minimum: 0 }),
  entity_keys: Type.Array(Type.String()),
  /** When time alone changes it; null for never. */
  due_at: nullable(Timestamp),
})
export type AlertRow = Static<typeof AlertRow>

export const TimelineRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  alert_id: Uuid,
  at: Timestamp,
  by: nullable(Uuid),
  kind: oneOf(...timelineKinds),
  from_value: nullable(Type.String({ maxLength: 64 })),
  to_value: nullable(Type.String({ maxLength: 64 })),
  comment: nullable(Comment),
})
export type TimelineRow = Static<typeof TimelineRow>

const { at, by, kind, from_value, to_value, comment } = TimelineRow.properties
export const TimelineItem = strictObject({ at, by, kind, from: from_value, to: to_value, comment })

export const RelatedAlert = strictObject({
  id: Uuid,
  title: Short,
  severity: told.severity,
  status: told.status,
  last_seen: Timestamp,
})

export const Alert = resource({
  ...stored,
  sla: Sla,
  timeline: Type.Array(TimelineItem, { maxItems: 500 }),
  related: Type.Array(RelatedAlert, { maxItems: 20, description: 'Newest alerts about one of the same entities' }),
})
export type Alert = Static<typeof Alert>

const { evidence: _evidence, group_by: _group, ...brief } = stored
export const ListedAlert = listed(resource({ ...brief, sla: Sla }))
export type ListedAlert = Omit<Static<typeof ListedAlert>, 'etag'>

/** Form of a suppression that a person asks for. */
export const NewSuppression = strictObject({
  match: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 128 }), GroupValue, {
      minProperties: 1,
      maxProperties: 5,
      description:
        'Values by field: hits with all of them are counted and open no alert. Default: the group of the alert',
    }),
  ),
  reason: Reason,
  expires_at: Type.Unsafe<string>({ ...Timestamp, description: 'At most 90 days from now' }),
})
export type NewSuppression = Static<typeof NewSuppression>

export const PatchAlert = strictObject({
  status: Type.Optional(told.status),
  resolution: Type.Optional(oneOf(...resolutions)),
  assignee_user_id: Type.Optional(nullable(Uuid)),
  comment: Type.Optional(Comment),
  severity: Type.Optional(told.severity),
  suppress: Type.Optional(NewSuppression),
})
export type PatchAlert = Static<typeof PatchAlert>

export const AlertFilter = strictObject({
  status: Type.Optional(told.status),
  severity: Type.Optional(told.severity),
  assignee_user_id: Type.Optional(Uuid),
  rule_id: Type.Optional(Uuid),
  entity: Type.Optional(Type.String({ maxLength: 300, description: 'Id of an entity, or `type:id`' })),
  tag: Type.Optional(Tag),
  sla: Type.Optional(oneOf('breached', 'pending', 'met')),
  from: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Seen last at this time or later' })),
  to: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Seen first before this time' })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of a word of the title' })),
})
export type AlertFilter = Static<typeof AlertFilter>

/** Payload of both events. */
export const AlertEventData = strictObject({
  alert_id: Uuid,
  title: Short,
  ...told,
  sla: Sla,
  request_ids: requestIds,
})
export type AlertEventData = Static<typeof AlertEventData>
