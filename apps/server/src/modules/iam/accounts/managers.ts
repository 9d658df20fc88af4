import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'

/** Checks that the manager exists and does not report to the user. @throws API-001 */
export async function assertManager(
  tx: Tx,
  ask: { readonly userId: string | null; readonly managerId: string },
): Promise<void> {
  // Two changes at once could each be free of a circle and make one together.
  await tx.lock('iam.managers', tx.tenantId)
  const chain = await tx.query(sql<{ id: string }>`
    with recursive above (id, manager_id) as (
      select id, manager_id from iam_user where id = ${ask.managerId}
      union
      select u.id, u.manager_id from iam_user u join above on u.id = above.manager_id
    )
    select id from above`)
  const detail =
    chain.length === 0
      ? 'There is no such user.'
      : chain.some(({ id }) => id === ask.userId)
        ? 'The manager reports to this user.'
        : null
  if (detail !== null) throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/manager_id' }])
}
