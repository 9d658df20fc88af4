/** An AI service as the catalog knows it: whose it is, its hosts, and facts with their sources. */
import Type, { type Static, type TOptional, type TProperties, type TSchema } from 'typebox'
import { Region } from '../../../../kernel/base/regions.ts'
import { nullable, oneOf, resource, Slug, strictObject, Timestamp } from '../../../../kernel/schema/types.ts'

export const categories = [
  ...(['chat', 'code_assistant', 'api', 'image', 'video', 'audio', 'meeting', 'writing', 'search'] as const),
  ...([
    'agent_platform',
    'mcp_server',
    'model_hub',
    'embedded_in_saas',
    'translation',
    'data_science',
    'other',
  ] as const),
] as const
export const kinds = ['consumer', 'business', 'api'] as const

const unknown = 'unknown'
const Source = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 500 })

function factOf<S extends TSchema>(value: S) {
  return strictObject({
    value: Type.Union([value, Type.Literal(unknown)]),
    source_url: Type.Optional(nullable(Source)),
    checked_at: Type.Optional(
      nullable({ ...Timestamp, description: 'When the source was last read; null where nobody has checked the fact' }),
    ),
  })
}

const YesNo = factOf(Type.Boolean())
const Incident = strictObject({ at: Timestamp, title: Type.String({ minLength: 1, maxLength: 300 }) })

/** Facts by name; one that is not there is unknown. */
const facts = {
  trains_on_input_default: YesNo,
  training_opt_out: YesNo,
  retention_days: factOf(Type.Integer({ minimum: 0, maximum: 36_500 })),
  data_regions: factOf(Type.Array(Region, { minItems: 1, maxItems: 60 })),
  soc2: YesNo,
  iso27001: YesNo,
  iso42001: YesNo,
  hipaa_baa: YesNo,
  gdpr_dpa: YesNo,
  sso: YesNo,
  scim: YesNo,
  audit_log: YesNo,
  file_upload: YesNo,
  plugins_or_agents: YesNo,
  browser_extension: YesNo,
  mcp_client: YesNo,
  account_required: YesNo,
  free_tier: YesNo,
  incidents: factOf(Type.Array(Incident, { maxItems: 50 })),
}

export type FactName = keyof typeof facts

function optional<P extends TProperties>(properties: P) {
  const members = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])
  return Object.fromEntries(members) as { [K in keyof P]: TOptional<P[K]> }
}

export const Facts = strictObject(optional(facts))
export type Facts = Static<typeof Facts>

/**
 * `chat.example.com` is this host alone, `.example.com` the domain and everything below it, and `example.com/ai` the paths
 * of one host that begin so, by whole segments.
 */
const Host = Type.String({
  pattern: '^\\.?[a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)*(/[^\\s?#]{0,200})?$|^[0-9a-fA-F:.]{2,45}$',
  minLength: 1,
  maxLength: 300,
  description: 'A host, a domain with its subdomains (`.example.com`), or a path prefix (`example.com/ai`)',
})

const described = {
  slug: Slug,
  name: Type.String({ minLength: 1, maxLength: 120 }),
  vendor: Type.String({ minLength: 1, maxLength: 120 }),
  vendor_country: nullable(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2 })),
  category: oneOf(...categories),
  kind: nullable(oneOf(...kinds)),
  hosts: Type.Array(Host, { minItems: 1, maxItems: 100 }),
  terms_url: nullable(Source),
  facts: Facts,
}

/** An entry as it is shipped. */
export const CatalogEntry = strictObject(described)
export type CatalogEntry = Static<typeof CatalogEntry>

export const CatalogEntryRow = strictObject({
  ...resource(described).properties,
  version: Type.Integer({ minimum: 1 }),
})
export type CatalogEntryRow = Static<typeof CatalogEntryRow>

export const PutCatalogEntry = strictObject({
  ...described,
  vendor_country: Type.Optional(described.vendor_country),
  kind: Type.Optional(described.kind),
  terms_url: Type.Optional(described.terms_url),
  facts: Type.Optional(Facts),
})
export type PutCatalogEntry = Static<typeof PutCatalogEntry>

export const StoredCatalogEntry = strictObject({
  ...resource(described).properties,
  rematched: Type.Integer({ minimum: 0, description: 'Discovered services that this entry now describes' }),
})
export type StoredCatalogEntry = Static<typeof StoredCatalogEntry>

export interface Fact {
  readonly value: unknown
  readonly source_url?: string | null | undefined
  readonly checked_at?: string | null | undefined
}

/** Claims whose source has not been read yet. */
export const uncheckedFacts = (facts: Facts): number =>
  Object.values(facts).filter((fact: Fact) => fact.value !== unknown && (fact.checked_at ?? null) === null).length

/** The names of facts that claim something and name no source for it. */
export const unsourced = (facts: Facts): readonly string[] =>
  Object.entries(facts).flatMap(([name, fact]: readonly [string, Fact]) =>
    fact.value !== unknown && (fact.source_url ?? null) === null ? [name] : [],
  )
