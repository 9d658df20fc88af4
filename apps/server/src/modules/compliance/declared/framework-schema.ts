import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const sources = ['builtin', 'oscal', 'csv', 'json'] as const
export const frameworkStatuses = ['draft', 'published', 'archived'] as const
export const adoptions = ['not_adopted', 'adopted', 'archived'] as const

export const FrameworkKey = Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,99}$', maxLength: 100 })
export const Ref = Type.String({ minLength: 1, maxLength: 250 })
const Count = Type.Integer({ minimum: 0 })
const Title = Type.String({ minLength: 1, maxLength: 500 })
const Edition = Type.String({ minLength: 1, maxLength: 100 })

export const Group = strictObject({ id: Ref, title: Title, parent: nullable(Ref) })

const fields = {
  key: FrameworkKey,
  edition: Edition,
  title: Title,
  publisher: nullable(Type.String({ maxLength: 200 })),
  source: oneOf(...sources),
  status: oneOf(...frameworkStatuses),
  sha256: Type.String({ maxLength: 64 }),
  text_policy: Type.String({
    maxLength: 40,
    description: 'Whose words the texts are: own_words, public_domain, imported',
  }),
  license: nullable(Type.String({ maxLength: 200 })),
  source_url: nullable(Type.String({ maxLength: 500 })),
  applies_per: oneOf('organization', 'ai_system', 'either'),
  mandatory: Type.Boolean(),
  soa: Type.Boolean({ description: 'Asks for a statement of applicability' }),
  control_count: Type.Integer({ minimum: 0, description: 'Without withdrawn ones' }),
  withdrawn_count: Count,
  groups: Type.Array(Group),
  adoption: oneOf(...adoptions),
  adopted_at: nullable(Timestamp),
  weight: Type.Integer({ minimum: 0, maximum: 10, description: 'In the trust score, among adopted frameworks' }),
}

export const FrameworkRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  document_id: nullable(Uuid),
  profile_id: nullable(Uuid),
  told_score: nullable(Type.Number({ minimum: 0, maximum: 100 })),
})
export type FrameworkRow = Static<typeof FrameworkRow>

const Percent = nullable(Type.Number({ minimum: 0, maximum: 100 }))
const Share = nullable(Type.Number({ minimum: 0, maximum: 1 }))
export const Score = strictObject({
  score: Percent,
  score_possible: Percent,
  score_assessed_only: Percent,
  coverage: Share,
  effectiveness: Percent,
  evidence_current: Share,
  controls: Count,
  coefficients: strictObject({ alpha: Type.Number() }),
})
export type Score = Static<typeof Score>

const { groups: _groups, ...listedFields } = fields
export const ListedFramework = resource({ ...listedFields, live_score: Score })
export type ListedFramework = Static<typeof ListedFramework>

const TreeControl = strictObject({
  control_id: nullable(Uuid),
  ref: Ref,
  parent_ref: nullable(Ref),
  group_ref: nullable(Ref),
  title: Title,
  withdrawn: Type.Boolean(),
  needs_review: Type.Boolean(),
})
const Crosswalk = strictObject({
  framework: FrameworkKey,
  exact: Count,
  full: Count,
  partial: Count,
  conflict: Count,
  unmapped: Count,
})
const Timetable = strictObject({
  name: Type.String({ maxLength: 60 }),
  title: Type.String({ maxLength: 200 }),
  rows: Type.Array(
    strictObject({
      provision: Type.String({ maxLength: 60 }),
      applies_from: Type.String({ maxLength: 10 }),
      condition: nullable(Type.String({ maxLength: 200 })),
      source: Type.String({ maxLength: 200 }),
      status: oneOf('in_force', 'adopted', 'proposed'),
    }),
  ),
})

export const Framework = resource({
  ...fields,
  live_score: Score,
  tree: Type.Optional(Type.Array(TreeControl)),
  crosswalk: Type.Optional(Type.Array(Crosswalk)),
  timetables: Type.Optional(Type.Array(Timetable)),
})
export type Framework = Static<typeof Framework>

export const FrameworkFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  source: Type.Optional(oneOf(...sources)),
  adoption: Type.Optional(oneOf(...adoptions)),
  mandatory: Type.Optional(Type.Boolean()),
})
export type FrameworkFilter = Static<typeof FrameworkFilter>

export const includes = ['tree', 'crosswalk', 'timetables'] as const
export const frameworkFormats = ['oscal-catalog', 'oscal-profile', 'oscal-mapping', 'oscal-component', 'csv'] as const
export type FrameworkFormat = (typeof frameworkFormats)[number]

const Adopt = strictObject({
  weight: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  mandatory: Type.Optional(Type.Boolean()),
})

export const NewFramework = strictObject({
  source: oneOf('known', 'oscal', 'csv', 'json'),
  framework_id: Type.Optional(Uuid),
  action: Type.Optional(oneOf('adopt', 'publish', 'archive', 'leave')),
  key: Type.Optional(FrameworkKey),
  edition: Type.Optional(Edition),
  title: Type.Optional(Title),
  content: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20_971_520, description: 'The document, as text, at most 20 MiB' }),
  ),
  base_framework_ids: Type.Optional(
    Type.Array(Uuid, {
      maxItems: 20,
      description: 'Of a profile: the frameworks that it imports, in the order of its imports; one stands for all',
    }),
  ),
  publish: Type.Optional(Type.Boolean()),
  adopt: Type.Optional(Adopt),
  dry_run: Type.Optional(Type.Boolean()),
})
export type NewFramework = Static<typeof NewFramework>

const Imported = strictObject({
  groups: Count,
  controls: Count,
  withdrawn: Count,
  params: Count,
  mappings: Count,
})
const Diff = strictObject({
  against: Edition,
  added: Type.Array(Ref),
  changed: Type.Array(Ref),
  withdrawn: Type.Array(Ref),
})
export const FrameworkImport = strictObject({
  framework: nullable(Framework),
  dry_run: Type.Boolean(),
  imported: nullable(Imported),
  diff: nullable(Diff),
  warnings: Type.Array(Type.String({ maxLength: 1000 })),
})
export type FrameworkImport = Static<typeof FrameworkImport>
