/**
 * Which way a call goes where the operator has a proxy: straight to the target or through it. Promises that a way through
 * the proxy ends at an address the guard has seen and allowed, except for names that the operator lets the proxy resolve,
 * and that those are names which can be public. Tested in proxied.test.ts.
 */
import { isIPv4 } from 'node:net'
import type { DirectList } from '../net/direct-list.ts'
import { EgressError } from './errors.ts'
import type { ForwardProxy } from './proxy.ts'
import type { Resolve } from './resolve.ts'
import { brokenAddressRule, brokenNameRule, literalAddress, type TargetParts, type TargetPolicy } from './url-guard.ts'

export interface Proxied {
  readonly proxy: ForwardProxy
  readonly direct: DirectList
}

export interface Guarded {
  readonly policy: TargetPolicy
  readonly resolve: Resolve
}

export interface WayTarget extends TargetParts {
  readonly hostname: string
}

export type Way =
  /** As without a proxy; with addresses where a name has been resolved already. */
  | { readonly kind: 'direct'; readonly addresses: readonly string[] | null }
  /** Hosts for the proxy, best first: checked addresses, or the name where the proxy resolves it. */
  | { readonly kind: 'proxy'; readonly hosts: readonly string[] }

/** @throws EgressError */
export async function wayTo(target: WayTarget, { direct }: Proxied, { policy, resolve }: Guarded): Promise<Way> {
  const { hostname } = target
  const literal = literalAddress(hostname)
  if (literal === null && direct.hasName(hostname)) return { kind: 'direct', addresses: null }
  if (literal === null && policy.isResolvedByProxy(hostname)) {
    refuse(brokenNameRule(target, policy))
    return { kind: 'proxy', hosts: [hostname] }
  }
  const addresses = literal === null ? await resolved(hostname, resolve) : [literal]
  refuse(brokenAddressRule(target, addresses, policy))
  if (addresses.every((address) => direct.hasAddress(address))) return { kind: 'direct', addresses }
  return { kind: 'proxy', hosts: inOrder(addresses) }
}

async function resolved(name: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(name).catch((cause: unknown) => Promise.reject(new EgressError('connect', { cause })))
  if (addresses.length === 0) throw new EgressError('connect')
  return addresses
}

/** The system's order is for this machine; the proxy's reach is unknown, and nearly every one reaches IPv4. */
const inOrder = (addresses: readonly string[]): readonly string[] =>
  addresses.toSorted((one, other) => Number(isIPv4(other)) - Number(isIPv4(one)))

function refuse(rule: string | null): void {
  if (rule !== null) throw new EgressError('refused', { rule })
}
