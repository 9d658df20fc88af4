import type { Kernel } from '../../../../kernel/kernel.ts'
import { emailKey } from '../../directory/email-address.ts'
import type { SsoMethod } from '../../schemas/sso.ts'
import { connectionOfEmail } from '../lookup.ts'

/** How a person with this address signs in: decided by the domain alone, never by whether the account exists. */
export async function discoverMethod(kernel: Pick<Kernel, 'db'>, email: string): Promise<SsoMethod> {
  const found = await connectionOfEmail(kernel, emailKey(email))
  return found === null ? { method: 'password' } : { method: 'sso', connection_id: found.connection.id }
}
