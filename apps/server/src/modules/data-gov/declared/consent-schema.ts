import Type, { type Static } from 'typebox'
import { includeOf } from '../../../kernel/schema/include.ts'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Legal bases of GDPR Art. 6(1). */
export const bases = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interest',
  'public_task',
  'legitimate_interest',
] as const
export type Basis = (typeof bases)[number]
const BasisWord = oneOf(...bases)

export const consentEvents = [
  'requested',
  'given',
  'refused',
  'withdrawn',
  'renewed',
  'expired',
  'invalidated',
  'objected',
] as const
export type ConsentEventWord = (typeof consentEvents)[number]

/** States of a record: those of the W3C Data Privacy Vocabulary. */
export const consentStates = [
  'requested',
  'given',
  'refused',
  'withdrawn',
  'expired',
  'invalidated',
  'objected',
] as const
export type ConsentState = (typeof consentStates)[number]

export const Purpose = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9][a-z0-9_.:-]*$' })
const Word = Type.String({ minLength: 1, maxLength: 100 })
const Words = Type.Array(Word, { maxItems: 50 })
const Title = Type.String({ minLength: 1, maxLength: 200 })
const Key = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9][a-z0-9_.-]*$' })

export const NoticePurpose = strictObject({
  purpose: Purpose,
  title: Type.Optional(Title),
  categories: Type.Optional(Words),
  recipients: Type.Optional(Words),
  sale_or_sharing: Type.Optional(
    Type.Boolean({ description: 'Sale, sharing or targeted advertising: Global Privacy Control opts out of it' }),
  ),
})
export type NoticePurpose = Static<typeof NoticePurpose>

const noticeFields = {
  key: Key,
  edition: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  title: Title,
  controller: Title,
  purposes: Type.Array(NoticePurpose, { minItems: 1, maxItems: 50 }),
  withdrawal_method: Type.String({ minLength: 1, maxLength: 500 }),
  languages: Words,
  jurisdictions: Words,
  material_change: Type.Boolean(),
  effective_from: Timestamp,
  status: oneOf('current', 'superseded'),
}
export const Notice = resource(noticeFields)
export const NoticeRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...noticeFields,
  created_by: nullable(Uuid),
})
export type NoticeRow = Static<typeof NoticeRow>

export const SubjectRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  status: oneOf('active', 'restricted', 'erased'),
  gpc_at: nullable(Timestamp),
})
export type SubjectRow = Static<typeof SubjectRow>

/** Keyed hash of an identifier, which leads to the person and not back. */
export const AliasRow = strictObject({ hash: Type.String(), tenant_id: Uuid, subject_id: Uuid, created_at: Timestamp })

const consentFields = {
  subject_id: Uuid,
  notice_id: nullable(Uuid),
  notice_key: nullable(Type.String()),
  notice_edition: nullable(Type.Integer({ minimum: 1 })),
  purpose: Purpose,
  basis: BasisWord,
  state: oneOf(...consentStates),
  categories: Words,
  recipients: Words,
  occurred_at: Timestamp,
  valid_until: nullable(Timestamp),
}
export const ConsentRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...consentFields,
  event_id: Uuid,
})
export type ConsentRow = Static<typeof ConsentRow>

const eventFields = {
  event: oneOf(...consentEvents),
  basis: BasisWord,
  method: Type.String({ maxLength: 100 }),
  evidence_sha256: nullable(Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })),
  locale: nullable(Type.String({ maxLength: 35 })),
  occurred_at: Timestamp,
  valid_until: nullable(Timestamp),
  gpc: Type.Boolean(),
}
export const ConsentEventRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  ...{ consent_id: Uuid, notice_id: nullable(Uuid), recorded_by: nullable(Uuid) },
  categories: Words,
  recipients: Words,
  ...eventFields,
})
export type ConsentEventRow = Static<typeof ConsentEventRow>

const ShownEvent = strictObject({ id: Uuid, ...eventFields })
export const Consent = resource({
  ...consentFields,
  events: Type.Optional(Type.Array(ShownEvent)),
  receipt: Type.Optional(
    Type.String({ description: 'JWS (EdDSA) over the record in the form of ISO/IEC TS 27560:2023' }),
  ),
})
export type Consent = Static<typeof Consent>

export const Recorded = strictObject({
  kind: oneOf('notice', 'event', 'batch'),
  notice: nullable(Notice),
  records: Type.Array(Consent, { description: 'One for each purpose of each event' }),
  effective_within_ms: Type.Integer({
    minimum: 0,
    description: 'Until every instance decides by it; the one that answered does already',
  }),
})
export type Recorded = Static<typeof Recorded>

export const Alias = strictObject({
  kind: oneOf('email', 'phone', 'user_id', 'external_id', 'name'),
  value: Type.String({ minLength: 3, maxLength: 254 }),
})
export type Alias = Static<typeof Alias>
export const Aliases = Type.Array(Alias, { minItems: 1, maxItems: 20 })

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
export const NewEvent = strictObject({
  subject: strictObject({ aliases: Aliases }),
  event: oneOf(...consentEvents),
  notice_key: Type.Optional(Key),
  purposes: Type.Array(Purpose, { minItems: 1, maxItems: 50 }),
  basis: Type.Optional(BasisWord),
  method: Type.String({ minLength: 1, maxLength: 100, description: 'For instance `web_form`, `paper`, `phone`' }),
  evidence_sha256: Type.Optional(Sha256),
  locale: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
  occurred_at: Type.Optional(Timestamp),
  valid_until: Type.Optional(Timestamp),
  gpc: Type.Optional(Type.Boolean({ description: 'Global Privacy Control was observed' })),
})
export type NewEvent = Static<typeof NewEvent>

export const NewConsent = strictObject({
  kind: oneOf('notice', 'event', 'batch'),
  notice: Type.Optional(
    strictObject({
      key: Key,
      title: Title,
      controller: Title,
      purposes: Type.Array(NoticePurpose, { minItems: 1, maxItems: 50 }),
      withdrawal_method: Type.String({ minLength: 1, maxLength: 500 }),
      languages: Type.Optional(Words),
      jurisdictions: Type.Optional(Words),
      material_change: Type.Optional(Type.Boolean()),
      effective_from: Type.Optional(Timestamp),
    }),
  ),
  event: Type.Optional(NewEvent),
  events: Type.Optional(Type.Array(NewEvent, { minItems: 1, maxItems: 1000 })),
})
export type NewConsent = Static<typeof NewConsent>

export const ConsentFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the purpose' })),
  subject: Type.Optional(Type.String({ minLength: 3, maxLength: 254, description: 'An identifier of the person' })),
  purpose: Type.Optional(Purpose),
  state: Type.Optional(oneOf(...consentStates)),
  notice_key: Type.Optional(Key),
  expires_before: Type.Optional(Timestamp),
  id: Type.Optional(Uuid),
  include: Type.Optional(includeOf('events', 'receipt', 'notices')),
  decide: Type.Optional(
    Type.Boolean({ description: 'Decides whether `purpose` is allowed for `subject`; the answer is `meta.decision`' }),
  ),
  category: Type.Optional(Word),
  recipient: Type.Optional(Word),
  at: Type.Optional(Timestamp),
})
export type ConsentFilter = Static<typeof ConsentFilter>
