import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'

/** @throws API-001 at the pointer, unless the id names an active person of the transaction's tenant */
export async function assertActivePerson(tx: Tx, id: string, pointer: string): Promise<void> {
  const found = await tx.first(
    sql`select 1 as found from iam_user where id = ${id} and type = 'human' and status = 'active'`,
  )
  if (found !== null) return
  const detail = 'There is no such active user.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}
