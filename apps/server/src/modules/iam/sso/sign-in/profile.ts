import type { Tx } from '../../../../kernel/db/port.ts'
import { anyVersion } from '../../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { change, hold } from '../../../../kernel/resource/resource.ts'
import { userResource } from '../../accounts/user-resource.ts'
import type { AssertedIdentity } from '../identity.ts'

export interface Named {
  readonly userId: string
  readonly identity: Pick<AssertedIdentity, 'name'>
}

/** An account that a provider's word made has the name the provider says now. Tested in ../connections/connections.test.ts. */
export async function followName(kernel: Kernel, tx: Tx, { userId, identity }: Named): Promise<void> {
  const { name } = identity
  if (name === null) return
  const held = await hold(tx, userResource, { id: userId, precondition: anyVersion })
  const user = held.row
  if (user.managed_by !== 'sso' || user.display_name === name) return
  await change(kernel, tx, held, {
    action: 'iam.user.change',
    changes: { display_name: name },
    before: { display_name: user.display_name },
    after: ({ display_name }) => ({ display_name }),
    reason: 'name at the identity provider',
  })
}
