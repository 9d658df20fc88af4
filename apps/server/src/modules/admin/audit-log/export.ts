/**
 * The audit log as a file, in the order of its chain. Promises constant memory and no open transaction while it is sent,
 * and that the download is in the log before its first byte leaves. It holds what was sealed when it was asked for;
 * entries of the last second are in the next one. Tested in audit-log.test.ts.
 */

import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { type Opening, openingsOf } from '../../../kernel/audit/personal.ts'
import type { AuditEntryRow } from '../../../kernel/audit/tables.ts'
import { auditEntry } from '../../../kernel/audit/tables.ts'
import type { Database, TenantScope } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { csvLine } from '../../../kernel/http/body/csv.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { FileAnswer } from '../../../kernel/module/route.ts'
import { ocsfEvent } from './ocsf/event.ts'
import { type AuditEntry, type AuditFilter, AuditEntry as entrySchema } from './schemas/audit-log.ts'
import { chainOf } from './scope.ts'
import { conditionOf } from './search.ts'
import { entryView, type SealRow } from './view.ts'

/** Entries of one file at most. */
export const mostEntries = 1_000_000
const pageSize = 1_000

/** Events of the Open Cybersecurity Schema Framework, one a line; the framework registered no media type. */
export const ocsfLines = 'application/x-ocsf+ndjson'
export const fileForms = ['application/x-ndjson', 'text/csv', ocsfLines] as const
export type FileForm = (typeof fileForms)[number]

interface Form {
  readonly extension: string
  readonly header: string
  readonly line: (entry: AuditEntry) => string
}

const columns = Object.keys(entrySchema.properties) as readonly (keyof AuditEntry)[]

const forms: Readonly<Record<FileForm, Form>> = {
  'application/x-ndjson': { extension: 'ndjson', header: '', line: (entry) => `${JSON.stringify(entry)}\n` },
  'text/csv': { extension: 'csv', header: csvLine(columns), line: (entry) => csvLine(columns.map(cellOf(entry))) },
  [ocsfLines]: { extension: 'ocsf.ndjson', header: '', line: (entry) => `${JSON.stringify(ocsfEvent(entry))}\n` },
}

const cellOf = (entry: AuditEntry) => (column: keyof AuditEntry) => {
  const value = entry[column]
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return JSON.stringify(value)
}

interface Asked {
  readonly actor: Actor
  readonly filter: AuditFilter
  readonly form: FileForm
}

/** @throws API-001 for more than a million entries, AUTH-004 */
export async function exportAuditLog(
  { db, chain }: Pick<Kernel, 'db' | 'chain'>,
  scope: TenantScope,
  { actor, filter, form }: Asked,
): Promise<FileAnswer> {
  const tenantId = chainOf(actor, filter.scope)
  const [{ size }, cut] = await Promise.all([
    chain.head(tenantId),
    chain.beginning(tenantId),
    refuseTooMany(db, tenantId, filter),
  ])
  await db.tenant(scope, (tx) =>
    tx.audit('admin.audit.export', {
      target: `audit_log:${tenantId}`,
      after: { form, filter, size },
    }),
  )
  const { extension } = forms[form]
  const facts = { contentType: `${form}; charset=utf-8`, name: `audit-log-${size}.${extension}` }
  return new FileAnswer(facts, chunksOf(db, tenantId, { actor, filter, form, from: cut?.size ?? 0, size }))
}

async function refuseTooMany(db: Pick<Database, 'read'>, tenantId: TenantId, filter: AuditFilter): Promise<void> {
  const [row] = await db.read(
    tenantId,
    sql<{ count: number }>`
      select count(*)::int as count
      from (select from audit_entry where ${conditionOf(filter)} limit ${mostEntries + 1}) found`,
  )
  if ((row?.count ?? 0) > mostEntries)
    throw apiErrors.validation({ what: `A file holds ${mostEntries} entries at most. Narrow the time.` })
}

interface Walk extends Asked {
  /** Behind this entry, up to that one. */
  readonly from: number
  readonly size: number
}

async function* chunksOf(db: Pick<Database, 'read'>, tenantId: TenantId, walk: Walk): AsyncGenerator<string> {
  const { header, line } = forms[walk.form]
  if (header !== '') yield header
  for (let after = walk.from; after < walk.size; after += pageSize) {
    const rows = await db.read(tenantId, sealedPage(walk, after))
    const text = rows.map((row) => line(viewOf(row, walk.actor))).join('')
    if (text !== '') yield text
  }
}

type SealedEntry = AuditEntryRow & Omit<SealRow, 'entry_id'> & { readonly personal: readonly Opening[] | null }

function viewOf({ seq, prev_hash, hash, sealed_at, personal, ...row }: SealedEntry, actor: Actor): AuditEntry {
  const seal = { entry_id: row.id, seq, prev_hash, hash, sealed_at }
  return entryView({ row, seal, openings: personal ?? [] }, actor.permissions)
}

/** Index: the primary key of the seals. Each page costs the same, however few of its entries are wanted. */
function sealedPage({ filter, size }: Walk, after: number) {
  return sql<SealedEntry>`
    select ${auditEntry.columns}, seq, prev_hash, hash, sealed_at, ${openingsOf} as personal
    from (select entry_id, seq, prev_hash, hash, sealed_at from audit_seal
      where seq > ${after} and seq <= ${Math.min(size, after + pageSize)}) seal
    join audit_entry on id = entry_id
    where ${conditionOf(filter)}
    order by seq`
}
