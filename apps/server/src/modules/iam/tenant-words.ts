import type { TenantId } from '../../kernel/auth/actor.ts'
import type { Database } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'

/** What somebody guessing a password of this tenant would try. */
export async function tenantWords(db: Pick<Database, 'read'>, tenantId: TenantId): Promise<readonly string[]> {
  const statement = sql<{ name: string; slug: string }>`select name, slug from iam_tenant where id = ${tenantId}`
  const [row] = await db.read(tenantId, statement)
  return row === undefined ? [] : [row.name, row.slug]
}
