/**
 * Imports into the threat library. Promises that a file that is not of its format changes nothing, and that importing the
 * same file again changes nothing. The file is read in a thread, before the transaction. Tested in import.test.ts.
 */
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { identifier, join, sql } from '../../../kernel/db/sql.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { askForExploitedRuns } from '../feedback/rate-runs.ts'
import type { Content } from './formats/read.ts'
import type { Import, NewImport, Threat, ThreatRow } from './library/schema.ts'
import { threats } from './library/tables.ts'
import { type Merge, merged, type Stored } from './merge.ts'
import { type ReadFault, readThreats } from './read-task.ts'
import { threatView } from './threats.ts'

/** Rows of one statement. */
const batch = 500
const mostItems = 100
const mostFaults = 20

export interface ImportAsked {
  readonly scope: TenantScope
  readonly body: NewImport
}

/** @throws RISK-013, RISK-014 */
export async function importThreats(kernel: Kernel, { scope, body }: ImportAsked): Promise<Import> {
  const { format, content: text, dry_run: dryRun = false } = body
  const content = await kernel.threads.run(readThreats, { format, text })
  if ('fault' in content) throw problemOf(content.fault)
  const id = kernel.random.uuid()
  return kernel.db.tenant({ ...scope, readOnly: dryRun }, async (tx) => {
    if (!dryRun) await tx.lock('risk.threats', tx.tenantId)
    const stored = await storedOf(tx, content)
    refuseUnresolved(content, stored)
    const merge = merged(content.threats, content.relations, stored)
    const counts = {
      created: merge.created.length,
      updated: merge.updated.length,
      unchanged: merge.unchanged,
      revoked: merge.revoked,
    }
    const skipped = [...content.skipped, ...merge.skipped]
    const rows = rowsOf(kernel, tx, merge)
    if (!dryRun) {
      await store(tx, rows)
      await askForExploitedRuns(tx, new Set(rows.flatMap((row) => (row.source === 'cve' ? [row.external_id] : []))))
      await tx.audit('risk.threats.import', { target: `risk_import:${id}`, after: { format, ...counts } })
    }
    const items = dryRun ? { items: itemsOf(rows) } : {}
    return { id, status: 'completed', format, dry_run: dryRun, ...counts, skipped, ...items }
  })
}

function problemOf({ kind, pointer, message }: ReadFault): ProblemError {
  const error = kind === 'vector' ? errors.cvssVectorInvalid : errors.importInvalid
  return error({ what: message }).at([{ detail: message, pointer }])
}

type StoredRow = Stored & Pick<ThreatRow, 'id' | 'created_at'>

/** The stored rows of the imported threats and of those that relations name, by key. */
async function storedOf(
  tx: Tx,
  { threats: read, relations, unresolved }: Content,
): Promise<ReadonlyMap<string, StoredRow>> {
  const keys = [
    ...new Set([
      ...read.map(({ key }) => key),
      ...relations.flatMap(({ source, target }) => [source, target]),
      ...unresolved.map(({ id }) => id),
    ]),
  ]
  const found = new Map<string, StoredRow>()
  for (let at = 0; at < keys.length; at += 10_000) {
    const rows = await tx.query(
      sql<ThreatRow>`select ${threats.columns} from risk_threat where key = any(${keys.slice(at, at + 10_000)}::text[])`,
    )
    for (const { tenant_id: _tenant, updated_at: _updated, ...row } of rows) found.set(row.key, row)
  }
  return found
}

/** @throws RISK-013 for references to what neither the file nor the library has */
function refuseUnresolved({ unresolved }: Content, stored: ReadonlyMap<string, StoredRow>): void {
  const broken = unresolved.filter(({ id }) => !stored.has(id))
  if (broken.length === 0) return
  throw errors
    .importInvalid({ what: `${broken.length} references lead to objects that neither the file nor the library has.` })
    .at(broken.slice(0, mostFaults).map(({ id, pointer }) => ({ detail: `There is no object ${id}.`, pointer })))
}

function rowsOf({ clock, random }: Kernel, tx: Tx, { created, updated }: Merge): readonly ThreatRow[] {
  const now = clock.iso()
  return [
    ...created.map((row) => ({ ...row, id: random.uuid(), tenant_id: tx.tenantId, created_at: now, updated_at: now })),
    ...updated.map((row) => ({ id: random.uuid(), created_at: now, ...row, tenant_id: tx.tenantId, updated_at: now })),
  ]
}

const stamps: ReadonlySet<string> = new Set(['id', 'tenant_id', 'created_at', 'key'])

async function store(tx: Tx, rows: readonly ThreatRow[]): Promise<void> {
  const names = Object.keys(threats.row.properties).filter((name) => !stamps.has(name))
  const set = join(
    names.map((name) => sql`${identifier(name)} = excluded.${identifier(name)}`),
    ', ',
  )
  for (let at = 0; at < rows.length; at += batch)
    await tx.execute(
      sql`${insertRows(threats, rows.slice(at, at + batch))} on conflict (tenant_id, key) do update set ${set}`,
    )
}

const itemsOf = (rows: readonly ThreatRow[]): Threat[] => rows.slice(0, mostItems).map(threatView)
