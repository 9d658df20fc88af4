/** A threat of the library as it is stored, shown and imported. */
import { automatableLevels, exploitationLevels, missionLevels, technicalImpactLevels } from '@parapet/quant'
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'

export const sources = ['attack', 'atlas', 'cve', 'custom'] as const
/** Types of STIX 2.1, and tactics, for which it has none. */
export const threatTypes = [
  'attack-pattern',
  'intrusion-set',
  'threat-actor',
  'campaign',
  'malware',
  'tool',
  'vulnerability',
  'course-of-action',
  'tactic',
] as const
export type ThreatType = (typeof threatTypes)[number]

const Text = Type.String({ maxLength: 500 })
const Texts = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 5000 })
const Probability = Type.Number({ minimum: 0, maximum: 1 })
export const ssvcDecisions = ['track', 'track*', 'attend', 'act'] as const

export const Kev = strictObject({
  date_added: Type.String({ maxLength: 10 }),
  due_date: nullable(Type.String({ maxLength: 10 })),
  ransomware: Type.Boolean(),
})

export const Ssvc = strictObject({
  exploitation: oneOf(...exploitationLevels),
  automatable: oneOf(...automatableLevels),
  technical_impact: oneOf(...technicalImpactLevels),
  mission: oneOf(...missionLevels),
  decision: oneOf(...ssvcDecisions),
})
export type Ssvc = Static<typeof Ssvc>

/** Fields from imports; the library derives the rest. */
const content = {
  source: oneOf(...sources),
  external_id: Type.String({ maxLength: 200 }),
  stix_id: nullable(Type.String({ maxLength: 100 })),
  type: oneOf(...threatTypes),
  name: Text,
  tactics: Texts,
  platforms: Texts,
  parent_id: nullable(Type.String({ maxLength: 200 })),
  aliases: Texts,
  mitigations: Texts,
  groups: Texts,
  revoked: Type.Boolean(),
  revoked_by: nullable(Type.String({ maxLength: 200 })),
  deprecated: Type.Boolean(),
  object_version: nullable(Type.String({ maxLength: 40 })),
  modified_at: nullable(Timestamp),
  cvss_vector: nullable(Type.String({ maxLength: 512 })),
  cvss_score: nullable(Type.Number({ minimum: 0, maximum: 10 })),
  cvss_severity: nullable(oneOf('none', 'low', 'medium', 'high', 'critical')),
  cvss_macrovector: nullable(Type.String({ maxLength: 6 })),
  cvss_nomenclature: nullable(Type.String({ maxLength: 10 })),
  epss: nullable(Probability),
  epss_percentile: nullable(Probability),
  epss_date: nullable(Type.String({ maxLength: 10 })),
  epss_model: nullable(Type.String({ maxLength: 40 })),
  kev: nullable(Kev),
  ssvc: nullable(Ssvc),
}
export const ThreatContent = strictObject(content)
export type ThreatContent = Static<typeof ThreatContent>

export const ThreatRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  key: Type.String({ maxLength: 220 }),
  ...content,
})
export type ThreatRow = Static<typeof ThreatRow>

const { object_version: _v, ...shown } = content
export const Threat = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  ...shown,
  version: content.object_version,
})
export type Threat = Static<typeof Threat>

const Short = Type.String({ minLength: 1, maxLength: 100 })
export const ThreatFilter = strictObject({
  source: Type.Optional(oneOf(...sources)),
  type: Type.Optional(oneOf(...threatTypes)),
  tactic: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Such as initial-access' })),
  platform: Type.Optional(Short),
  group: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'External id of a group or campaign that uses it' }),
  ),
  kev: Type.Optional(Type.Boolean()),
  epss_min: Type.Optional(Probability),
  cvss_min: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  ssvc: Type.Optional(oneOf(...ssvcDecisions)),
  include_revoked: Type.Optional(Type.Boolean({ description: 'Also what is revoked or deprecated' })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Beginning of the external id, a word of the name or an alias',
    }),
  ),
})
export type ThreatFilter = Static<typeof ThreatFilter>

export const importFormats = ['stix', 'atlas', 'cve', 'epss_csv', 'kev_json', 'custom'] as const
export type ImportFormat = (typeof importFormats)[number]

export const NewImport = strictObject({
  format: oneOf(...importFormats),
  content: Type.String({ minLength: 1, maxLength: 64 * 1_048_576, description: 'The text of the file' }),
  dry_run: Type.Optional(Type.Boolean({ description: 'Stores nothing and answers the first 100 threats in `items`' })),
})
export type NewImport = Static<typeof NewImport>

const Count = Type.Integer({ minimum: 0 })
export const Import = strictObject({
  id: Uuid,
  status: oneOf('completed'),
  format: oneOf(...importFormats),
  dry_run: Type.Boolean(),
  created: Count,
  updated: Count,
  unchanged: Count,
  revoked: Count,
  skipped: Type.Array(strictObject({ pointer: Type.String(), reason: Type.String() })),
  items: Type.Optional(Type.Array(Threat)),
})
export type Import = Static<typeof Import>
