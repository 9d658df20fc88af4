import type { Tx } from '../../../../kernel/db/port.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { users } from '../../tables/users.ts'
import type { AssertedIdentity } from '../identity.ts'

export interface Named {
  readonly userId: string
  readonly identity: Pick<AssertedIdentity, 'name'>
}

/** An account that a provider's word made has the name the provider says now. Tested in ../connections/connections.test.ts. */
export async function followName({ clock }: Kernel, tx: Tx, { userId, identity }: Named): Promise<void> {
  const { name } = identity
  if (name === null) return
  const user = await users.needForUpdate(tx, userId)
  if (user.managed_by !== 'sso' || user.display_name === name) return
  await users.patch(tx, userId, { display_name: name, version: user.version + 1, updated_at: clock.iso() })
  await tx.audit('iam.user.change', {
    target: `user:${userId}`,
    before: { display_name: user.display_name },
    after: { display_name: name },
    reason: 'name at the identity provider',
  })
}
