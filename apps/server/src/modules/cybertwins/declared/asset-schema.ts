/** Assets of the twin as they are stored, shown and written. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { assetKinds, assetStatuses, dataClasses, exposures, relationKinds, vexStates } from './words.ts'

export const Share = Type.Number({ minimum: 0, maximum: 1 })
export const Name = Type.String({ minLength: 1, maxLength: 300 })
export const Technique = Type.String({
  pattern: '^(AML\\.)?T\\d{4}(\\.\\d{3})?$',
  maxLength: 15,
  description: 'Id of MITRE ATLAS or ATT&CK',
})
const Hours = Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Hours of an attacker for this step' })
export const Key = Type.String({ minLength: 3, maxLength: 600 })

export const ExternalId = strictObject({
  source: Type.String({
    pattern: '^[a-z0-9][a-z0-9_.-]{0,62}$',
    maxLength: 63,
    description: 'Namespace of the id, such as `purl`, `fqdn`, `ip`, `sha256`, `stix` or the name of an inventory',
  }),
  id: Type.String({ minLength: 1, maxLength: 500 }),
})
export type ExternalId = Static<typeof ExternalId>

const Property = strictObject({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  value: Type.String({ maxLength: 512 }),
})

const vulnerability = {
  id: Type.String({ minLength: 1, maxLength: 64, description: 'CVE id, or a name of your own' }),
  cvss_vector: Type.Optional(Type.String({ maxLength: 512, description: 'CVSS 4.0, or 3.1 for its score alone' })),
  epss: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Default: of the threat library' })),
  kev: Type.Optional(Type.Boolean({ description: 'Default: of the threat library' })),
  vex_state: Type.Optional(oneOf(...vexStates)),
  fix: Type.Optional(Type.String({ maxLength: 300, description: 'Version or patch that closes it' })),
}
export const NewVulnerability = strictObject(vulnerability)
export const Vulnerability = strictObject({
  id: vulnerability.id,
  cvss_vector: nullable(Type.String({ maxLength: 512 })),
  cvss_score: nullable(Type.Number({ minimum: 0, maximum: 10 })),
  epss: nullable(Share),
  kev: nullable(Type.Boolean()),
  vex_state: oneOf(...vexStates),
  fix: nullable(Type.String({ maxLength: 300 })),
  source: Type.String({ maxLength: 63 }),
})
export type Vulnerability = Static<typeof Vulnerability>

const control = {
  control_id: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the control' }),
  efficacy: Type.Number({ minimum: 0, maximum: 1, description: 'Share of attempts that it stops where it acts' }),
  coverage: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the attempts on which it acts' }),
  techniques: Type.Optional(
    Type.Array(Technique, { maxItems: 50, description: 'Techniques that it stops; default: all' }),
  ),
}
export const NewControl = strictObject(control)

/** Result of counting: of the attempts that were seen, how many were stopped, and the 95 % Wilson interval of the share. */
export const Measurement = strictObject({
  blocked: Type.Integer({ minimum: 0 }),
  passed: Type.Integer({ minimum: 0 }),
  low: Share,
  high: Share,
  from: Timestamp,
  to: Timestamp,
})
export type Measurement = Static<typeof Measurement>

export const Control = strictObject({
  control_id: control.control_id,
  efficacy: Share,
  coverage: Share,
  techniques: nullable(Type.Array(Technique, { maxItems: 50 })),
  measured: nullable(Measurement),
  source: Type.String({ maxLength: 63 }),
})
export type Control = Static<typeof Control>

export const Money = strictObject({
  amount: Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,2})?$', maxLength: 18 }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3 }),
})

const Source = strictObject({
  source: Type.String({ maxLength: 63 }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  confidence: Type.Integer({ minimum: 0, maximum: 100 }),
})
export type Source = Static<typeof Source>

const relation = {
  kind: oneOf(...relationKinds),
  technique: Type.Optional(Technique),
  p_override: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Probability of the step; takes the place of the model' }),
  ),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Required with `p_override`' })),
  hours: Type.Optional(Hours),
  requires: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Relations to one target with the same word count only together (AND)',
    }),
  ),
}
export const NewRelation = strictObject({
  ...relation,
  target: Type.String({
    minLength: 3,
    maxLength: 600,
    description: 'Id of an asset, or `<source>:<external id>`, also of an asset of the same call',
  }),
})
export type NewRelation = Static<typeof NewRelation>

export const Relation = strictObject({
  id: Uuid,
  kind: relation.kind,
  target_id: Uuid,
  technique: nullable(Technique),
  p_override: nullable(Share),
  reason: nullable(Type.String({ maxLength: 500 })),
  hours: nullable(Hours),
  requires: nullable(Type.String({ maxLength: 64 })),
  source: Type.String({ maxLength: 63 }),
})

/** Members that people and importers write. */
const written = {
  name: Name,
  criticality: Type.Integer({ minimum: 1, maximum: 5 }),
  crown_jewel: Type.Boolean({ description: 'Target of analyses that name none' }),
  value: nullable(Money),
  owner_id: nullable(Uuid),
  environment: nullable(Type.String({ maxLength: 63 })),
  exposure: oneOf(...exposures),
  entry_point: Type.Boolean({ description: 'Attackers begin here' }),
  data_classes: Type.Array(oneOf(...dataClasses), { maxItems: 4, uniqueItems: true }),
  properties: Type.Array(Property, { maxItems: 64 }),
}

const stored = {
  kind: oneOf(...assetKinds),
  ...written,
  external_ids: Type.Array(ExternalId, { maxItems: 50 }),
  vulnerabilities: Type.Array(Vulnerability, { maxItems: 1000 }),
  controls: Type.Array(Control, { maxItems: 100 }),
  sources: Type.Array(Source, { maxItems: 50 }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  stale_at: nullable(Timestamp),
  status: oneOf(...assetStatuses),
}

export const AssetRow = strictObject({ ...resource(stored).properties, version: Type.Integer({ minimum: 1 }) })
export type AssetRow = Static<typeof AssetRow>

const { stale_at: _stale, ...shown } = stored
export const Asset = strictObject({
  ...resource(shown).properties,
  relationships: Type.Array(Relation, { maxItems: 100, description: 'Outgoing, in the direction of attack' }),
})
export type Asset = Static<typeof Asset>
export const ListedAsset = listed(Asset)

const lists = {
  vulnerabilities: Type.Array(NewVulnerability, { maxItems: 1000 }),
  controls: Type.Array(NewControl, { maxItems: 100 }),
  relationships: Type.Array(NewRelation, { maxItems: 1000 }),
}

export const NewAsset = strictObject({
  kind: oneOf(...assetKinds),
  name: Name,
  external_ids: Type.Optional(Type.Array(ExternalId, { maxItems: 50 })),
  criticality: Type.Optional(written.criticality),
  crown_jewel: Type.Optional(written.crown_jewel),
  value: Type.Optional(written.value),
  owner_id: Type.Optional(written.owner_id),
  environment: Type.Optional(written.environment),
  exposure: Type.Optional(written.exposure),
  entry_point: Type.Optional(written.entry_point),
  data_classes: Type.Optional(written.data_classes),
  properties: Type.Optional(written.properties),
  vulnerabilities: Type.Optional(lists.vulnerabilities),
  controls: Type.Optional(lists.controls),
  relationships: Type.Optional(lists.relationships),
})
export type NewAsset = Static<typeof NewAsset>

export const NewAssets = strictObject({ assets: Type.Array(NewAsset, { minItems: 1, maxItems: 1000 }) })

export const outcomes = ['created', 'updated', 'unchanged'] as const
export const WrittenAssets = strictObject({
  id: Type.String({ format: 'uuid', maxLength: 36, description: 'Of the first asset' }),
  created: Type.Integer({ minimum: 0 }),
  updated: Type.Integer({ minimum: 0 }),
  unchanged: Type.Integer({ minimum: 0 }),
  relations: Type.Integer({ minimum: 0, description: 'Relations that are new or changed' }),
  items: Type.Array(strictObject({ outcome: oneOf(...outcomes), asset: Asset })),
})

export const PatchAsset = strictObject({
  name: Type.Optional(written.name),
  criticality: Type.Optional(written.criticality),
  crown_jewel: Type.Optional(written.crown_jewel),
  value: Type.Optional(written.value),
  owner_id: Type.Optional(written.owner_id),
  environment: Type.Optional(written.environment),
  exposure: Type.Optional(written.exposure),
  entry_point: Type.Optional(written.entry_point),
  data_classes: Type.Optional(written.data_classes),
  properties: Type.Optional(written.properties),
  vulnerabilities: Type.Optional(
    Type.Array(NewVulnerability, { maxItems: 1000, description: 'Takes the place of those written by people' }),
  ),
  controls: Type.Optional(
    Type.Array(NewControl, { maxItems: 100, description: 'Takes the place of those written by people' }),
  ),
  relationships: Type.Optional(
    Type.Array(NewRelation, { maxItems: 1000, description: 'Takes the place of outgoing ones written by people' }),
  ),
  status: Type.Optional(oneOf('active', 'retired')),
})
export type PatchAsset = Static<typeof PatchAsset>

export const AssetFilter = strictObject({
  id: Type.Optional(Uuid),
  kind: Type.Optional(oneOf(...assetKinds)),
  status: Type.Optional(oneOf(...assetStatuses)),
  exposure: Type.Optional(oneOf(...exposures)),
  criticality_min: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  crown_jewel: Type.Optional(Type.Boolean()),
  cve: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  kev: Type.Optional(Type.Boolean({ description: 'Whether a vulnerability of it is in KEV, as it was written' })),
  agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Id of an agent of AEGIS' })),
  near: Type.Optional(Uuid),
  hops: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: 'Around `near`, in both directions' })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of a word of the name' })),
})
export type AssetFilter = Static<typeof AssetFilter>
