/** Names to addresses, for those who check what they dial. Tested in fetch.test.ts and address-guard.test.ts. */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { EgressError } from './errors.ts'
import { brokenAddressRule, type TargetParts, type TargetPolicy } from './url-guard.ts'

/** All addresses of a name, IPv4 and IPv6; an empty list or an error when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** All addresses as the system resolves them, hosts file included. */
export const resolveBySystem: Resolve = async (hostname) => {
  const answers = await systemLookup(hostname, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

interface Checks {
  readonly policy: TargetPolicy
  readonly resolve: Resolve
}

/** Resolves and checks: it returns exactly the addresses that the guard has checked. */
export function checkedLookup(target: TargetParts, { policy, resolve }: Checks): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const rule = brokenAddressRule(target, addresses, policy)
        if (rule !== null) return callback(refusal(rule), [])
        const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        if (all === true) return callback(null, checked)
        return callback(null, checked[0]?.address ?? '', checked[0]?.family ?? 4)
      },
      (cause: unknown) => callback(new EgressError('connect', { cause }), []),
    )
  }
}

// A name without addresses is a failed connection, not a broken rule.
const refusal = (rule: string): EgressError =>
  rule === 'unresolvable'
    ? new EgressError('connect', { cause: Object.assign(new Error('No address was found.'), { code: 'ENOTFOUND' }) })
    : new EgressError('refused', { rule })
