/** Whether a server may be called at its address. Tested in servers.test.ts. */
import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { errors } from '../../errors/errors.ts'

export interface CalledAddress {
  readonly url: string
  readonly internal: boolean
  /** JSON Pointer of the member that holds it. */
  readonly pointer: string
}

/** @throws AEGIS-015 */
export async function checkAddress(
  { egress }: Pick<Kernel, 'egress'>,
  { url, internal, pointer }: CalledAddress,
): Promise<void> {
  const check = await egress.resolveAndCheckBase(url, { publicOnly: !internal })
  if (!check.ok) throw refusedAddress(check.rule, { internal, pointer })
}

export function refusedAddress(rule: string, { internal, pointer }: Omit<CalledAddress, 'url'>): ProblemError {
  return errors.addressRefused({ why: reasonOf(rule, internal) }).at([{ detail: `Refused: ${rule}.`, pointer }])
}

const reasons: Readonly<Record<string, string>> = {
  scheme: 'public addresses are called by https',
  port: 'public addresses are called on port 443 and on those that the operator allows in PARAPET_EGRESS_PORTS',
  metadata: 'it is a metadata service of a cloud',
  unresolvable: 'its name has no address, as seen from this server',
  own_address: 'it leads back to this installation',
  query: 'it has a query (?)',
  fragment: 'it has a fragment (#)',
  user_info: 'it holds a user name or a password',
}

function reasonOf(rule: string, internal: boolean): string {
  const known = reasons[rule]
  if (known !== undefined) return known
  return internal
    ? 'it leads to a network that the operator does not allow in PARAPET_GATEWAY_PRIVATE_UPSTREAMS'
    : 'it leads to an address that is not public. Mark the server as internal, and have the operator allow its network in PARAPET_GATEWAY_PRIVATE_UPSTREAMS'
}
