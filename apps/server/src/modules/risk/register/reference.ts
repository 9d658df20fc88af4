import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'

/** How a risk is called in conversation: `R-0001`. */
export const reference = ({ number }: { readonly number: number }): string => `R-${String(number).padStart(4, '0')}`

/** The next number of the tenant. Creations of one tenant wait for each other, and no risk is deleted: no gaps. */
export async function nextNumber(tx: Tx): Promise<number> {
  await tx.lock('risk.reference', tx.tenantId)
  const row = await tx.first(sql<{ next: number }>`select coalesce(max(number), 0) + 1 as next from risk_register`)
  return row?.next ?? 1
}
