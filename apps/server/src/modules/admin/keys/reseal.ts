/**
 * Encrypts a tenant's stored values anew after its data key was rotated. Promises that a value that was changed
 * meanwhile is left as it is, and that no value is lost: the old key goes on decrypting. Values that cannot be decrypted
 * end the job, because they would not have been readable either. Tested in keys.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SealedColumn } from '../../../kernel/keys/port.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'

export const resealKind = 'admin.keys.reseal'
const pageSize = 100

type Resealer = Pick<Kernel, 'db' | 'keys' | 'sealed'>

export const resealJob: JobDeclaration<unknown> = {
  kind: resealKind,
  lane: 'long',
  maxAttempts: 5,
  leaseMs: 60_000,
  everyMs: null,
  run: runReseal,
}

async function runReseal({ kernel, tenantId, signal, progress, result }: JobContext<unknown>): Promise<void> {
  let resealed = 0
  for (const [index, column] of kernel.sealed.entries()) {
    resealed += await resealColumn(kernel, tenantId, { column, signal })
    await progress((index + 1) / kernel.sealed.length)
  }
  result({ resealed, version: await kernel.keys.newest(tenantId) })
}

interface Work {
  readonly column: SealedColumn
  readonly signal: AbortSignal
}

interface SealedValue {
  readonly id: string
  readonly value: Uint8Array
}

async function resealColumn(kernel: Resealer, tenantId: TenantId, { column, signal }: Work): Promise<number> {
  let after = ''
  let resealed = 0
  for (;;) {
    signal.throwIfAborted()
    const rows = await kernel.db.read(tenantId, pageOf(column, after))
    for (const row of rows) resealed += await resealValue(kernel, tenantId, { column, row })
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return resealed
    after = last.id
  }
}

/** Values that were taken out are empty and stay so. */
function pageOf({ table, column, rowId = 'id' }: SealedColumn, after: string) {
  const [id, value] = [identifier(rowId), identifier(column)]
  return sql<SealedValue>`
    select ${id}::text as id, ${value} as value from ${identifier(table)}
    where ${value} is not null and octet_length(${value}) > 0 and ${id}::text > ${after}
    order by ${id}::text limit ${pageSize}`
}

interface Value {
  readonly column: SealedColumn
  readonly row: SealedValue
}

/** The key is asked for outside of the transaction, which the embedded database could not have beside it. */
async function resealValue({ db, keys }: Resealer, tenantId: TenantId, { column, row }: Value): Promise<number> {
  const { table, column: name, rowId = 'id', address = { table, column: name } } = column
  const value = await keys.reseal(tenantId, { ...address, rowId: row.id }, row.value)
  if (value === null) return 0
  return db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      update ${identifier(table)} set ${identifier(name)} = ${value}
      where ${identifier(rowId)}::text = ${row.id} and ${identifier(name)} = ${row.value}`),
  )
}
