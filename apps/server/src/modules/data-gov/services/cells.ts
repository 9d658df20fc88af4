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
    return await contentText(kernel, await kernel.tenantKeys.decrypt(tenantId, address, value))
  } catch {
    return ''
  }
}

/** Opened content as text, unpacked where it is stored with gzip. */
export async function contentText({ unpack }: Pick<Kernel, 'unpack'>, bytes: Uint8Array): Promise<string> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isPacked) return Buffer.from(bytes).toString('utf8')
  const entries = await unpack.entries('gzip', bytes)
  return entries.map(({ content }) => Buffer.from(content).toString('utf8')).join('\n')
}
