import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'

/** Words an attacker would try when guessing a password of this tenant. */
export async function tenantWords(tx: Pick<Tx, 'first' | 'tenantId'>): Promise<readonly string[]> {
  const row = await tx.first(
    sql<{ name: string; slug: string }>`select name, slug from iam_tenant where id = ${tx.tenantId}`,
  )
  return row === null ? [] : [row.name, row.slug]
}
