import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { hold, write } from '../../../kernel/resource/resource.ts'
import { managedField } from '../accounts/managed-fields.ts'
import { userResource } from '../accounts/user-resource.ts'
import { seeUser } from '../accounts/views.ts'
import type { IamServices } from '../services/iam-services.ts'

export interface NameCorrection {
  readonly userId: string
  readonly from: string
  readonly to: string
}

/**
 * Corrects a display name for a request that others have decided. False for an unknown person, another name, and a name
 * that comes from a directory, where it has to be corrected.
 */
export async function correctName(
  { kernel }: Pick<IamServices, 'kernel'>,
  tx: Tx,
  { userId, from, to }: NameCorrection,
): Promise<boolean> {
  const found = await tx.first(sql<{ id: string }>`
    select id from iam_user where id = ${userId} and status <> 'erased' and display_name = ${from}`)
  if (found === null) return false
  const held = await hold(tx, userResource, { id: found.id, precondition: anyVersion })
  if (held.row.display_name !== from || managedField(held.row, { display_name: to }) !== undefined) return false
  const before = await seeUser(tx, userId)
  await write(kernel, tx, held, { display_name: to })
  const after = await seeUser(tx, userId)
  await tx.audit('iam.user.change', {
    target: `user:${userId}`,
    before: before.view,
    after: after.view,
    reason: 'A request of the person for rectification',
  })
  return true
}
