/**
 * A tenant's own catalog entry: stored under its slug, and the discovered services that it describes are matched and scored
 * anew. Tested in services.test.ts.
 */
import type { TenantScope, Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { anyVersion } from '../../../../kernel/http/answer/etag.ts'
import { Answer } from '../../../../kernel/module/route.ts'
import { change, create, hold, newRow, resource } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { type CatalogEntryRow, type PutCatalogEntry, type StoredCatalogEntry, unsourced } from '../catalog/schema.ts'
import type { ShadowAiParts } from '../declared/parts.ts'
import type { ServiceRow } from '../declared/service-schema.ts'
import { catalogEntries, services } from '../declared/tables.ts'
import { tenantEntries } from '../declared/tenant-catalog.ts'
import { entryOf, hostIndex, hostPattern, type Matchable } from '../matching/host-index.ts'
import { rescore } from '../risk/rescore.ts'

const entryResource = resource({ table: catalogEntries, kind: 'catalog_entry' })
const action = 'aegis.catalog_entry.change'
/** Hosts and paths of one rematch. */
const mostRematched = 5_000

export interface EntryToPut {
  readonly scope: TenantScope
  readonly input: PutCatalogEntry
}

/** @throws AEGIS-018 */
export async function putEntry(
  { kernel, iam }: ShadowAiParts,
  { scope, input }: EntryToPut,
): Promise<Answer<StoredCatalogEntry>> {
  const allowedRegions = await iam.dataResidency(scope.tenantId)
  const { vendor_country = null, kind = null, terms_url = null, facts = {}, ...rest } = input
  const described = { ...rest, vendor_country, kind, terms_url, facts }
  return kernel.db.tenant(scope, async (tx) => {
    await tx.lock('aegis.shadow_ai', tx.tenantId)
    const entries = await tenantEntries(tx)
    refuseEntry(described, entries)
    const known = entries.find(({ slug }) => slug === input.slug)
    const row = await storeEntry(kernel, tx, { known, described })
    const ids = await rematch(tx, row)
    await rescore(kernel, tx, { ids, allowedRegions })
    const { version: _version, ...shown } = row
    return new Answer({ ...shown, rematched: ids.length }, { status: known === undefined ? 201 : 200 })
  })
}

type Described = Omit<CatalogEntryRow, 'id' | 'tenant_id' | 'version' | 'created_at' | 'updated_at'>

/** @throws AEGIS-018 for facts without a source, hosts that are none, and hosts of another entry of the tenant */
function refuseEntry({ slug, facts, hosts }: Described, entries: readonly CatalogEntryRow[]): void {
  const bare = unsourced(facts).map((name) => ({
    detail: 'A fact needs its source_url; leave it out or say unknown where there is none.',
    pointer: `/facts/${name}/source_url`,
  }))
  const claimed = new Map(
    entries
      .filter((entry) => entry.slug !== slug)
      .flatMap((entry) => entry.hosts.map((host) => [spelled(host), entry.slug])),
  )
  const broken = hosts.flatMap((host, at) => {
    const pointer = `/hosts/${at}`
    if (hostPattern(host) === null) return [{ detail: 'This is no host.', pointer }]
    const by = claimed.get(spelled(host))
    return by === undefined ? [] : [{ detail: `The entry ${by} has this host already.`, pointer }]
  })
  const faults = [...bare, ...broken]
  const [first] = faults
  if (first !== undefined) throw errors.catalogEntry({ what: `${first.pointer}: ${first.detail}` }).at(faults)
}

function spelled(host: string): string {
  const pattern = hostPattern(host)
  return pattern === null ? host : `${pattern.kind} ${pattern.host}${pattern.path}`
}

interface Storing {
  readonly known: CatalogEntryRow | undefined
  readonly described: Described
}

async function storeEntry(
  kernel: ShadowAiParts['kernel'],
  tx: Tx,
  { known, described }: Storing,
): Promise<CatalogEntryRow> {
  if (known === undefined) {
    const row = { ...newRow(kernel, tx), ...described }
    await create(tx, entryResource, row, { action })
    return row
  }
  const held = await hold(tx, entryResource, { id: known.id, precondition: anyVersion })
  return change(kernel, tx, held, { action, changes: described })
}

/** Ids of the services that the entry describes now. */
async function rematch(tx: Tx, entry: CatalogEntryRow): Promise<readonly string[]> {
  const candidates = await tx.query(
    sql<ServiceRow>`
      select ${services.columns} from aegis_shadow_ai_service
      where catalog_slug is null or catalog_slug = ${entry.slug} or key = ${entry.slug}
      order by first_seen, id limit ${mostRematched}`,
  )
  const index = hostIndex([matchable(entry)])
  let target = candidates.find(({ key }) => key === entry.slug)
  const described = new Set(candidates.filter(({ catalog_slug: slug }) => slug === entry.slug).map(({ id }) => id))
  const found = candidates.filter(
    ({ catalog_slug: slug, hosts_seen: hosts }) =>
      slug === null && hosts.some((host) => entryOf(index, host, '') !== null),
  )
  for (const service of found) {
    if (target === undefined) {
      target = service
      await take(tx, service.id, { entry, key: entry.slug })
      described.add(service.id)
    } else if (service.status === 'discovered') await merge(tx, service, target)
    else {
      // A decision about it stays its own.
      await take(tx, service.id, { entry, key: service.key })
      described.add(service.id)
    }
  }
  if (target !== undefined) described.add(target.id)
  return [...described]
}

const matchable = ({ slug, name, category, hosts }: CatalogEntryRow): Matchable => ({ slug, name, category, hosts })

interface Taking {
  readonly entry: CatalogEntryRow
  readonly key: string
}

async function take(tx: Tx, id: string, { entry, key }: Taking): Promise<void> {
  await services.patch(tx, id, {
    ...{ key, catalog_slug: entry.slug, name: entry.name },
    type: entry.category === 'mcp_server' ? 'mcp_server' : 'ai_service',
  })
}

/** The use of one service becomes another one's. */
async function merge(tx: Tx, from: ServiceRow, into: ServiceRow): Promise<void> {
  await tx.execute(sql`
    insert into aegis_shadow_ai_use
      (service_id, day, user_key, user_id, user_name, department, requests, bytes_up, bytes_down)
    select ${into.id}::uuid, day, user_key, user_id, user_name, department, requests, bytes_up, bytes_down
    from aegis_shadow_ai_use moved where moved.service_id = ${from.id}
    on conflict (tenant_id, service_id, day, user_key) do update set
      requests = aegis_shadow_ai_use.requests + excluded.requests,
      bytes_up = aegis_shadow_ai_use.bytes_up + excluded.bytes_up,
      bytes_down = aegis_shadow_ai_use.bytes_down + excluded.bytes_down`)
  await tx.execute(sql`
    update aegis_shadow_ai_service kept set
      hosts_seen = (select array_agg(distinct host) from unnest(kept.hosts_seen || moved.hosts_seen) host),
      evidence_sources = (select array_agg(distinct kind) from unnest(kept.evidence_sources || moved.evidence_sources) kind),
      first_seen = least(kept.first_seen, moved.first_seen), last_seen = greatest(kept.last_seen, moved.last_seen)
    from aegis_shadow_ai_service moved where kept.id = ${into.id} and moved.id = ${from.id}`)
  await services.remove(tx, from.id)
}
