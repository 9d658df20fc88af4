/**
 * Stores the findings of a log: its services, their use, and the ingestion, in one transaction. Promises that a log
 * counts once, even when several senders submit it concurrently. Tested in ingestion.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tx } from '../../../../kernel/db/port.ts'
import { insertMany, insertRows, recordset } from '../../../../kernel/db/rows.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { create, newRow, resource } from '../../../../kernel/resource/resource.ts'
import { ingestionCompleted, serviceDiscovered } from '../declared/events.ts'
import type { IngestionRow } from '../declared/ingestion-schema.ts'
import type { ShadowAiParts } from '../declared/parts.ts'
import type { ServiceRow } from '../declared/service-schema.ts'
import { ingestions, services, uses } from '../declared/tables.ts'
import { rescore } from '../risk/rescore.ts'
import { openAlerts } from './open-alerts.ts'
import type { Person } from './people.ts'
import type { LogTotals, ServiceTotal, UseTotal } from './totals.ts'

/** Rows of one statement: their JSON holds the event loop. */
const batch = 500
/** Uses between two turns of the event loop: a log may have many of them. */
const atATime = 2_000
const mostHosts = 100

export const ingestionResource = resource({ table: ingestions, kind: 'shadow_ai_ingestion' })

export interface Finding {
  readonly totals: LogTotals
  readonly people: ReadonlyMap<string, Person>
  readonly allowedRegions: readonly string[] | null
  readonly facts: Pick<IngestionRow, 'format' | 'source' | 'sha256' | 'bytes' | 'failed_samples'>
}

export const ingestionOf = (tx: Tx, sha256: string): Promise<IngestionRow | null> =>
  tx.first(sql<IngestionRow>`select ${ingestions.columns} from aegis_shadow_ai_ingestion where sha256 = ${sha256}`)

/** @returns the ingestion, and whether it is the one of an earlier call */
export async function storeFinding(
  { kernel }: Pick<ShadowAiParts, 'kernel'>,
  tx: Tx,
  { totals, people, allowedRegions, facts }: Finding,
): Promise<{ readonly row: IngestionRow; readonly isKnown: boolean }> {
  await tx.lock('aegis.shadow_ai', tx.tenantId)
  const known = await ingestionOf(tx, facts.sha256)
  if (known !== null) return { row: known, isKnown: true }
  const { ids, made } = await storeServices({ kernel }, tx, totals)
  const attributed = await storeUses(tx, totals, { ids, people })
  const scored = await rescore(kernel, tx, { ids: [...ids.values()], allowedRegions })
  const fresh = scored.filter(({ id }) => made.has(id))
  const row = ingestionRow({ kernel }, tx, { totals, attributed, facts, servicesNew: fresh.length })
  await create(tx, ingestionResource, row, { action: 'aegis.shadow_ai_ingestion.create' })
  await openAlerts(kernel, tx, { ingestion: row, services: scored, made })
  await tx.emitAll(serviceDiscovered, fresh.map(discovery))
  await tx.emit(ingestionCompleted, row.id, {
    ...{ ingestion_id: row.id, format: row.format, lines: row.lines_total },
    ...{ matched: row.matched, services_new: row.services_new },
  })
  return { row, isKnown: false }
}

const discovery = ({ id, catalog_slug, name, type, risk_score, users, departments }: ServiceRow) => ({
  subject: id,
  data: { service_id: id, catalog_slug, name, type, risk_score, users, departments },
})

interface StoredServices {
  /** Ids of the log's services by their keys. */
  readonly ids: ReadonlyMap<string, string>
  readonly made: ReadonlySet<string>
}

async function storeServices(
  { kernel }: Pick<ShadowAiParts, 'kernel'>,
  tx: Tx,
  { services: seen }: LogTotals,
): Promise<StoredServices> {
  const keys = [...seen.keys()]
  const stored = await tx.query(
    sql<ServiceRow>`select ${services.columns} from aegis_shadow_ai_service where key = any(${keys}::text[])`,
  )
  const ids = new Map(stored.map(({ key, id }) => [key, id]))
  const widened = stored.flatMap((row) => {
    const service = seen.get(row.key)
    return service === undefined ? [] : [widenedBy(row, service)]
  })
  if (widened.length > 0)
    await tx.execute(sql`
      update aegis_shadow_ai_service service set hosts_seen = seen.hosts_seen, first_seen = seen.first_seen,
        last_seen = seen.last_seen, evidence_sources = seen.evidence_sources
      from ${recordset(services, widened)} seen where service.id = seen.id`)
  const made = [...seen.values()]
    .filter(({ key }) => !ids.has(key))
    .map((service) => serviceRow({ kernel }, tx, service))
  for (let at = 0; at < made.length; at += batch) await insertMany(tx, services, made.slice(at, at + batch))
  for (const { key, id } of made) ids.set(key, id)
  return { ids, made: new Set(made.map(({ id }) => id)) }
}

function widenedBy(row: ServiceRow, { hosts, evidence, first, last }: ServiceTotal): ServiceRow {
  return {
    ...row,
    hosts_seen: [...new Set([...row.hosts_seen, ...hosts])].slice(0, mostHosts),
    evidence_sources: [...new Set([...row.evidence_sources, ...evidence])].sort(),
    first_seen: new Date(Math.min(Date.parse(row.first_seen), first)).toISOString(),
    last_seen: new Date(Math.max(Date.parse(row.last_seen), last)).toISOString(),
  }
}

function serviceRow({ kernel }: Pick<ShadowAiParts, 'kernel'>, tx: Tx, service: ServiceTotal): ServiceRow {
  const { key, type, slug, name, hosts, evidence, first, last } = service
  return {
    ...newRow(kernel, tx),
    ...{ key, type, catalog_slug: slug, name, hosts_seen: [...hosts], evidence_sources: [...evidence].sort() },
    ...{ first_seen: new Date(first).toISOString(), last_seen: new Date(last).toISOString() },
    ...{ users: 0, departments: [], requests: 0, bytes_up: 0, bytes_down: 0 },
    ...{ inherent: 0, exposure: 0, risk_score: 0, risk_reasons: [] },
    ...{ status: 'discovered' as const, decision: null, tolerated_until: null, owner_user_id: null },
  }
}

interface Counted {
  readonly ids: ReadonlyMap<string, string>
  readonly people: ReadonlyMap<string, Person>
}

/** @returns accesses that a person is known for */
async function storeUses(tx: Tx, { uses: found }: LogTotals, counted: Counted): Promise<number> {
  const { rows: byKey, attributed } = await added(tx, found, counted)
  const rows = [...byKey.values()]
  for (let at = 0; at < rows.length; at += batch)
    await tx.execute(sql`${insertRows(uses, rows.slice(at, at + batch))}
      on conflict (tenant_id, service_id, day, user_key) do update set
        requests = aegis_shadow_ai_use.requests + excluded.requests,
        bytes_up = aegis_shadow_ai_use.bytes_up + excluded.bytes_up,
        bytes_down = aegis_shadow_ai_use.bytes_down + excluded.bytes_down,
        user_id = excluded.user_id, user_name = excluded.user_name, department = excluded.department`)
  return attributed
}

interface Added {
  readonly rows: ReadonlyMap<string, UseRow>
  readonly attributed: number
}

/** Two names in a log may be one person. */
async function added(tx: Tx, found: ReadonlyMap<string, UseTotal>, { ids, people }: Counted): Promise<Added> {
  const rows = new Map<string, UseRow>()
  let [seen, attributed] = [0, 0]
  for (const { service, user, day, requests, up, down } of found.values()) {
    seen += 1
    if (seen % atATime === 0) await nextTurn()
    const id = ids.get(service)
    const person = people.get(user)
    if (person?.isAccount === true) attributed += requests
    if (id === undefined || person === undefined) continue
    const key = `${id} ${day} ${person.user_key}`
    const row = rows.get(key)
    if (row === undefined) {
      const counts = { requests, bytes_up: up, bytes_down: down }
      rows.set(key, { tenant_id: tx.tenantId, service_id: id, day, ...person, ...counts })
    } else {
      row.requests += requests
      row.bytes_up += up
      row.bytes_down += down
    }
  }
  return { rows, attributed }
}

interface UseRow extends Person {
  readonly tenant_id: string
  readonly service_id: string
  readonly day: number
  requests: number
  bytes_up: number
  bytes_down: number
}

interface Row extends Pick<Finding, 'totals' | 'facts'> {
  readonly attributed: number
  readonly servicesNew: number
}

function ingestionRow(
  { kernel }: Pick<ShadowAiParts, 'kernel'>,
  tx: Tx,
  { totals, attributed, facts, servicesNew }: Row,
): IngestionRow {
  const { parsed, failed, matched, from, to } = totals
  const isEmpty = parsed === 0
  return {
    ...newRow(kernel, tx),
    ...facts,
    ...{ lines_total: parsed + failed, lines_parsed: parsed, lines_failed: failed, matched, services_new: servicesNew },
    period_from: isEmpty ? null : new Date(from).toISOString(),
    period_to: isEmpty ? null : new Date(to).toISOString(),
    // The share of the matched accesses; null where none matched.
    attributed_ratio: matched === 0 ? null : Math.round((attributed / matched) * 10_000) / 10_000,
  }
}
