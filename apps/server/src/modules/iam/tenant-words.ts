import type { TenantId } from '../../kernel/auth/actor.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { IamServices } from './services.ts'

/** What somebody guessing a password of this tenant would try. */
export async function tenantWords({ kernel }: IamServices, tenantId: TenantId): Promise<readonly string[]> {
  const [row] = await kernel.db.read(
    tenantId,
    sql<{ name: string; slug: string }>`select name, slug from iam_tenant where id = ${tenantId}`,
  )
  return row === undefined ? [] : [row.name, row.slug]
}
