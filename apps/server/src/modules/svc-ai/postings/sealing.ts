/** JSON under the tenant's key, at the column of its row. Not inside a transaction: keys read the database themselves. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { TenantKeys } from '../../../kernel/keys/port.ts'

const column = 'sealed'

export interface SealedPlace {
  readonly tenantId: TenantId
  readonly table: string
  readonly id: string
}

export function sealJson(keys: TenantKeys, { tenantId, table, id }: SealedPlace, value: unknown): Promise<Uint8Array> {
  return keys.encrypt(tenantId, { table, column, rowId: id }, Buffer.from(JSON.stringify(value)))
}

/** @throws Error when the bytes are not this row's */
export async function openJson(
  keys: TenantKeys,
  { tenantId, table, id }: SealedPlace,
  sealed: Uint8Array,
): Promise<unknown> {
  const bytes = await keys.decrypt(tenantId, { table, column, rowId: id }, sealed)
  return JSON.parse(new TextDecoder().decode(bytes))
}
