/**
 * The way to the one address at which a cloud lends tokens to its workloads, and to nothing else: the guard of every
 * other way out refuses that address, whatever an operator allows. For the credentials of the installation itself; no
 * address that anybody has written comes by here. Tested in metadata-egress.test.ts.
 */
import type { Clock } from '../base/clock.ts'
import type { AddressGuard } from '../net/address-guard.ts'
import { noOwnAddresses } from '../net/own-addresses.ts'
import { type Egress, egressUnder } from './fetch.ts'

const address = '169.254.169.254'
/** Of Azure and of Google, by its number: a name could be made to stand for another one. Neither speaks TLS there. */
export const metadataOrigin = `http://${address}`

const guard: AddressGuard = {
  judge: (asked) => (asked === address ? { kind: 'private' } : { kind: 'refused', rule: 'not_metadata' }),
}

export const metadataEgress = ({ monotonic }: Pick<Clock, 'monotonic'>): Egress =>
  egressUnder(
    { guard, ports: new Set(), hasPrivate: true, isResolvedByProxy: () => false, own: noOwnAddresses },
    { resolve: async () => [], now: monotonic },
  )
