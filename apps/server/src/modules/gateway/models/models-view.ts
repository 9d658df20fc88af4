/** The catalogue as it is shown: capabilities, prices and aliases of models. Tested in models.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { createPriceBook, type PriceBook } from '../prices/price-book.ts'
import { shippedPrices } from '../prices/shipped/shipped.ts'
import type { PriceRow } from '../prices/tables.ts'
import {
  capabilitiesOf,
  chatCan,
  contextTokensOf,
  embeddingNames,
  fieldTableOf,
  hasEmbeddings,
} from '../providers/vendors/model-facts.ts'
import { patternsLacking } from '../providers/vendors/model-lacks.ts'
import { adapterOf } from '../providers/vendors/registry.ts'
import {
  abilities,
  type CapabilityName,
  type Model,
  type ModelAliasRow,
  type ModelFilter,
  type ModelRow,
} from '../schemas/model.ts'
import { models } from '../schemas/tables.ts'
import { encodingOf } from '../tokens/encodings.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'
import { ownPriceRows } from './model-prices.ts'

interface Owner {
  readonly id: string
  readonly name: string
  readonly kind: ProviderKind
  readonly status: 'enabled' | 'disabled'
}

/** Data loaded once for all models of an answer. */
interface Known {
  readonly owners: readonly Owner[]
  readonly aliases: readonly ModelAliasRow[]
  readonly prices: readonly PriceRow[]
  readonly book: PriceBook
  readonly at: string
}

export async function listModels(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  page: PageRequest,
  filter: ModelFilter,
): Promise<Page<Versioned<Model>>> {
  const owners = await tx.query(sql<Owner>`select id, name, kind, status from gateway_provider`)
  const { provider_id: provider = null, enabled = null, q = null } = filter
  const where = sql`
    (${provider}::uuid is null or provider_id = ${provider}::uuid)
    and (${q}::text is null or position(lower(${q}::text) in lower(name)) > 0)
    and (${enabled}::boolean is null or ${enabled}::boolean = (coalesce(enabled, true) and exists (
      select from gateway_provider p where p.id = gateway_model.provider_id and p.status = 'enabled')))
    and ${withCapability(owners, filter.capability)}`
  const found = await models.page(tx, page, where)
  const known = await lookUp(tx, { owners, rows: found.items, at: clock.iso() })
  const items = found.items.flatMap((row) => {
    const shown = resource(row, known)
    return shown === null ? [] : [new Versioned(shown, row.version)]
  })
  return { ...found, items }
}

function withCapability(owners: readonly Owner[], wanted: CapabilityName | undefined) {
  if (wanted === undefined) return sql`true`
  const ids = (fits: (kind: ProviderKind) => boolean) => owners.flatMap(({ id, kind }) => (fits(kind) ? [id] : []))
  const embeds = sql`(provider_id = any(${ids(hasEmbeddings)}::uuid[]) and name ~* ${embeddingNames})`
  if (wanted === 'embeddings') return embeds
  const able = sql`provider_id = any(${ids((kind) => chatCan(kind, wanted))}::uuid[]) and not ${embeds}`
  return sql`(${able} and coalesce((capabilities ->> ${wanted}::text)::boolean, not ${lacking(owners, wanted)}))`
}

/** Whether the vendor says that the model cannot do it. */
function lacking(owners: readonly Owner[], wanted: CapabilityName) {
  const ability = abilities.find((name) => name === wanted)
  const known = owners.flatMap(({ id, kind }) =>
    ability === undefined ? [] : patternsLacking(kind, ability).map((pattern) => ({ id, pattern })),
  )
  const [ids, patterns] = [known.map(({ id }) => id), known.map(({ pattern }) => pattern)]
  return sql`exists (
    select from unnest(${ids}::uuid[], ${patterns}::text[]) as lacking (owner, pattern)
    where lacking.owner = provider_id and name ~ lacking.pattern)`
}

export async function modelOf({ clock }: Pick<Kernel, 'clock'>, tx: Tx, row: ModelRow): Promise<Model> {
  const owners = await tx.query(
    sql<Owner>`select id, name, kind, status from gateway_provider where id = ${row.provider_id}`,
  )
  const shown = resource(row, await lookUp(tx, { owners, rows: [row], at: clock.iso() }))
  if (shown === null) throw apiErrors.notFound({ what: 'provider' })
  return shown
}

async function lookUp(
  tx: Tx,
  { owners, rows, at }: { readonly owners: readonly Owner[]; readonly rows: readonly ModelRow[]; readonly at: string },
): Promise<Known> {
  const aliases = await tx.query(
    sql<ModelAliasRow>`
      select tenant_id, alias, model_id from gateway_model_alias
      where model_id = any(${rows.map(({ id }) => id)}::uuid[]) order by alias`,
  )
  const prices = await ownPriceRows(
    tx,
    rows.map(({ provider_id: providerId, name }) => ({ providerId, name })),
  )
  return { owners, aliases, prices, book: createPriceBook(shippedPrices, prices), at }
}

function resource(row: ModelRow, { owners, aliases, prices, book, at }: Known): Model | null {
  const owner = owners.find(({ id }) => id === row.provider_id)
  if (owner === undefined) return null
  const { version: _, context_tokens: contextTokens, max_output_tokens: most, capabilities: own, ...facts } = row
  const named = { kind: owner.kind, model: row.name }
  const price = book.find({ provider: owner, model: row.name }, at)
  return {
    ...facts,
    key: `${owner.name}/${row.name}`,
    provider: owner.name,
    aliases: aliases.filter(({ model_id: id }) => id === row.id).map(({ alias }) => alias),
    enabled: owner.status === 'enabled' && row.enabled !== false,
    capabilities: capabilitiesOf(named, own),
    field_support: { ...fieldTableOf(adapterOf(owner.kind).fields, named, own) },
    context_tokens: contextTokensOf({ contextTokens }, named),
    tokenizer: encodingOf(owner.kind, row.name),
    max_output_tokens: most ?? price?.maxOutputTokens ?? null,
    offline: owner.kind === 'echo',
    prices: price?.sheet ?? null,
    price_id: price?.id ?? null,
    price_source: price?.source ?? null,
    upcoming_prices: prices
      .filter(({ provider_id: id, model, valid_from: from }) => id === owner.id && model === row.name && from > at)
      .map(({ id, valid_from, sheet }) => ({ price_id: `tenant:${id}`, valid_from, prices: sheet })),
  }
}
