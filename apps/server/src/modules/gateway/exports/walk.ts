/**
 * The calls of an export, oldest first. They are read in pages, so that neither the log nor a database connection is
 * held, and include only calls that had ended when the export was requested. Tested in exports.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { shownIp } from '../../../kernel/audit/personal.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { openPayload } from '../records/payload.ts'
import { summaryOf } from '../request-log/requests.ts'
import { wantedOf } from '../request-log/requests-filter.ts'
import type { RequestRow } from '../schemas/request.ts'
import { requests } from '../schemas/tables.ts'
import type { ExportedCall } from './formats/exported-call.ts'
import type { ExportRow } from './tables.ts'

const pageSize = 500
/** Content may be ten megabytes per call. */
const pageSizeWithPayload = 10

type Walked = Pick<ExportRow, 'filter' | 'snapshot_at' | 'include_payload'>
type PagedRow = RequestRow & { readonly ip: string | null; readonly sealed: Uint8Array | null }

export async function countCalls({ db }: Pick<Kernel, 'db'>, tenantId: TenantId, asked: Walked): Promise<number> {
  const [row] = await db.read(
    tenantId,
    sql<{ total: number }>`select count(*)::int as total from gateway_request where ${conditionOf(asked)}`,
  )
  return row?.total ?? 0
}

/** Each page is read in its own transaction. */
export async function* walkCalls(
  kernel: Pick<Kernel, 'db' | 'tenantKeys'>,
  tenantId: TenantId,
  asked: Walked,
): AsyncGenerator<readonly ExportedCall[]> {
  const limit = asked.include_payload ? pageSizeWithPayload : pageSize
  let after: SqlPart = sql`true`
  for (;;) {
    const rows = await kernel.db.read(tenantId, pageOf(asked, after, limit))
    if (rows.length > 0) yield await Promise.all(rows.map((row) => exported(kernel, tenantId, row)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    after = sql`(created_at, id) > (${last.created_at}, ${last.id})`
  }
}

function conditionOf({ filter, snapshot_at: snapshot }: Walked): SqlPart {
  return sql`${wantedOf(filter)} and created_at <= ${snapshot} and finished_at <= ${snapshot}`
}

/** Index: (tenant_id, created_at, id). */
function pageOf(asked: Walked, after: SqlPart, limit: number) {
  const sealed = asked.include_payload
    ? sql`(select kept.sealed from gateway_request_payload kept
        where kept.id = gateway_request.id and kept.expires_at > now())`
    : sql`null::bytea`
  return sql<PagedRow>`
    select ${requests.columns}, ${sealed} as sealed,
      (select ${shownIp} from audit_entry where audit_entry.id = gateway_request.audit_id) as ip
    from gateway_request
    where ${conditionOf(asked)} and ${after}
    order by created_at, id
    limit ${limit}`
}

async function exported(
  { tenantKeys }: Pick<Kernel, 'tenantKeys'>,
  tenantId: TenantId,
  { ip, sealed, ...row }: PagedRow,
): Promise<ExportedCall> {
  const opened = sealed === null ? null : await openPayload(tenantKeys, tenantId, { id: row.id, sealed })
  return { call: summaryOf(row), ip, payload: opened?.payload ?? null }
}
