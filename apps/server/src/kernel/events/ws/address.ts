import { isIP } from 'node:net'
import { isAllowedAddress } from '../../net/networks.ts'

export interface ForwardedPeer {
  readonly peer: string
  readonly forwardedFor: string | readonly string[] | undefined
}

/** The client's address: the last one in the chain of `X-Forwarded-For` that is not a trusted proxy's own. */
export function addressBehindProxies(from: ForwardedPeer, trusted: readonly string[]): string {
  const forwarded = typeof from.forwardedFor === 'string' ? [from.forwardedFor] : (from.forwardedFor ?? [])
  const hops = forwarded.flatMap((line) => line.split(',')).map((hop) => hop.trim())
  let address = from.peer
  for (const hop of hops.reverse()) {
    if (trusted.length === 0 || !isAllowedAddress(address, trusted) || isIP(hop) === 0) return address
    address = hop
  }
  return address
}
