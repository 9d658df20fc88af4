/** Gives an export out: every download is in the audit log before its first byte leaves. Tested in tenant-life.test.ts. */
import { gunzipSync } from 'node:zlib'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { FileAnswer } from '../../../kernel/module/route.ts'
import { addressOf } from './export.ts'
import { tenantExports } from './tables.ts'

export interface Download {
  readonly id: string
  /** Without one all of them, each line with the name of its table. */
  readonly table: string | undefined
}

/** Lines of one table or of all; the download is in the audit log before its first byte leaves. @throws API-011, API-013 */
export async function downloadTable(kernel: Kernel, scope: TenantScope, { id, table }: Download): Promise<FileAnswer> {
  const row = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => tenantExports.need(tx, id))
  if (row.status !== 'completed' || row.expires_at === null || row.expires_at <= kernel.clock.iso())
    throw apiErrors.conflict({ what: 'This export is not ready, or its time is over.' })
  const entries = (row.manifest?.tables ?? []).filter(({ name }) => table === undefined || name === table)
  const [entry] = entries
  if (entry === undefined) throw apiErrors.notFound({ what: 'table in this export' })
  await kernel.db.tenant(scope, (tx) =>
    tx.audit('iam.tenant.export.download', {
      target: `tenant:${row.tenant_id}`,
      after: { export_id: id, table: table ?? null },
    }),
  )
  const contentType = 'application/x-ndjson'
  if (table === undefined) {
    const names = entries.map(({ name }) => name)
    const name = `tenant-${row.tenant_id}.ndjson`
    return new FileAnswer({ contentType, name }, everyLine(kernel, scope, { id, names }))
  }
  const { sha256 } = entry
  return new FileAnswer({ contentType, name: `${table}.ndjson`, sha256 }, linesOf(kernel, scope, { id, table }))
}

async function* everyLine(
  kernel: Kernel,
  scope: TenantScope,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): AsyncGenerator<string> {
  for (const table of names) {
    for await (const part of linesOf(kernel, scope, { id, table })) {
      const lines = Buffer.from(part).toString().trimEnd().split('\n')
      yield lines.map((line) => `{"table":"${table}","row":${line}}\n`).join('')
    }
  }
}

async function* linesOf(
  kernel: Kernel,
  { tenantId }: TenantScope,
  { id, table }: { readonly id: string; readonly table: string },
): AsyncGenerator<Uint8Array> {
  for (let after = -1; ; ) {
    const [part] = await kernel.db.read(
      tenantId,
      sql<{ id: string; seq: number; sealed: Uint8Array }>`
        select id, seq, sealed from iam_tenant_export_part
        where export_id = ${id} and table_name = ${table} and seq > ${after} order by seq limit 1`,
    )
    if (part === undefined) return
    yield gunzipSync(await kernel.tenantKeys.decrypt(tenantId, addressOf(part.id), part.sealed))
    after = part.seq
  }
}
