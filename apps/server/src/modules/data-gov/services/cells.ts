/** Values of rows as text, encrypted ones opened. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

interface Cell {
  readonly table: string
  readonly column: string
  readonly row: Readonly<Record<string, unknown>>
}

/** A value as text; empty where there is none, or where its bytes cannot be opened. */
export async function cellText(kernel: Kernel, tenantId: TenantId, { table, column, row }: Cell): Promise<string> {
  const value = row[column]
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (!(value instanceof Uint8Array)) return JSON.stringify(value)
  const sealed = kernel.sealed.find((one) => one.table === table && one.column === column)
  if (sealed === undefined) return ''
  const address = { ...(sealed.address ?? { table, column }), rowId: String(row[sealed.rowId ?? 'id']) }
  try {
    return Buffer.from(await kernel.tenantKeys.decrypt(tenantId, address, value)).toString('utf8')
  } catch {
    return ''
  }
}
