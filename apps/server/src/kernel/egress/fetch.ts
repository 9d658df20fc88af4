/**
 * The only way out of the process. Promises that a call goes to an address the guard allowed, ends within its timeouts
 * and its byte cap, and is cut at the upstream the moment its signal aborts. Does not follow redirects, decompress,
 * retry, or read proxy settings from the environment: the proxy is the operator's. Tested in fetch.test.ts,
 * exchange.test.ts, dial.test.ts, proxied.test.ts and address-guard.test.ts.
 */
import type { Socket } from 'node:net'
import { createAddressGuard } from '../net/address-guard.ts'
import { createDirectList } from '../net/direct-list.ts'
import { noOwnAddresses } from '../net/own-addresses.ts'
import { type DialTarget, dial } from './dial.ts'
import { createGuardedAgent } from './dispatcher.ts'
import { EgressError } from './errors.ts'
import { type EgressRequest, type EgressResponse, exchange } from './exchange.ts'
import { createProxy, type ProxyPlace } from './proxy.ts'
import { type Resolve, resolveBySystem } from './resolve.ts'
import {
  brokenAddressRule,
  checkBaseUrl,
  checkUrl,
  literalAddress,
  type TargetPolicy,
  type UrlCheck,
} from './url-guard.ts'
import type { Proxied } from './way.ts'

export interface EgressOptions {
  /** CIDRs of the operator, never of a tenant: reachable on any port and by plain http too. */
  readonly allowedPrivate: readonly string[]
  /** Ports besides 443 on which public addresses may be called. */
  readonly ports: readonly number[]
  /** Names to addresses; the system's resolver by default. */
  readonly resolve?: Resolve
  /** CA certificates (PEM) for https targets; default those that Node knows. */
  readonly ca?: string
  /** The operator's proxy; without one all calls go straight to their targets. */
  readonly proxy?: EgressProxy | null
  /** This installation's own addresses; default none. */
  readonly own?: TargetPolicy['own']
  /** A clock in milliseconds, for timings only. */
  readonly now: () => number
}

export interface EgressProxy extends ProxyPlace {
  /** Names, addresses and CIDRs that are called without it. */
  readonly direct: readonly string[]
  /**
   * The resolver of all other names. `here`: every address is checked and the proxy is asked for a checked one.
   * `proxy`, for networks without outside DNS: it gets the name, and its resolution is trusted.
   */
  readonly names: 'here' | 'proxy'
}

export interface AddressWish {
  /** As the member of a request. */
  readonly publicOnly?: boolean
}

export interface Egress {
  /** Form, scheme, port and literal address; does not resolve. */
  checkUrl(url: string): UrlCheck
  /** The same for an address that paths are appended to: it has no query. */
  checkBaseUrl(url: string): UrlCheck
  /**
   * The same as `checkBaseUrl` and every address of the name. Nothing is dialed. The rule of a name without addresses is
   * `unresolvable`.
   */
  resolveAndCheckBase(url: string, wish?: AddressWish): Promise<UrlCheck>
  /** Sends a request; resolves with the head of the answer. Rejects with EgressError. */
  fetch(request: EgressRequest): Promise<EgressResponse>
  /** A connection that carries something else than HTTP; its end is its holder's business. Rejects with EgressError. */
  dial(target: DialTarget): Promise<Socket>
  /** Connects to the proxy and asks nothing of it; null where there is none. Rejects with EgressError. */
  readonly reachProxy: (() => Promise<void>) | null
  /** Closes all connections; calls in flight fail as `aborted`. */
  close(): Promise<void>
}

// The longest connect timeout a provider may be given.
const longestConnectMs = 30_000

/** Makes the process's way out. Throws RangeError on a private range that does not parse or is too wide. */
export function createEgress({ resolve = resolveBySystem, now, ...options }: EgressOptions): Egress {
  const proxied = proxiedBy(options)
  return egressUnder(policyOf(options, proxied), { resolve, now, ca: options.ca, proxied })
}

interface Way {
  readonly resolve: Resolve
  readonly now: () => number
  readonly ca?: string | undefined
  /** Without one all calls go straight to their targets. */
  readonly proxied?: Proxied | null
}

/** A way out under a policy of its own. */
export function egressUnder(policy: TargetPolicy, { resolve, now, ca, proxied = null }: Way): Egress {
  const privateOrigins = new Set<string>()
  const dialed = (origin: string, address: string): void => {
    if (policy.guard.judge(address).kind === 'private') privateOrigins.add(origin)
  }
  const publicPolicy: TargetPolicy = { ...policy, guard: createAddressGuard([]), hasPrivate: false }
  const policyFor = (publicOnly: boolean): TargetPolicy => (publicOnly ? publicPolicy : policy)
  const agentUnder = (under: TargetPolicy) =>
    createGuardedAgent({ policy: under, resolve, connectMs: longestConnectMs, ca, proxied, dialed })
  const dispatcher = agentUnder(policy)
  // Connections of its own: one that a private address was allowed for must not serve a call that may not reach it.
  let publicDispatcher: ReturnType<typeof agentUnder> | null = null
  const dispatcherFor = (publicOnly: boolean) => {
    if (!publicOnly) return dispatcher
    publicDispatcher ??= agentUnder(publicPolicy)
    return publicDispatcher
  }

  async function resolveAndCheckBase(text: string, { publicOnly = false }: AddressWish = {}): Promise<UrlCheck> {
    const under = policyFor(publicOnly)
    const check = checkBaseUrl(text, under)
    if (!check.ok || literalAddress(check.url.hostname) !== null) return check
    if (under.isResolvedByProxy(check.url.hostname)) return check
    const addresses = await resolve(check.url.hostname).catch(() => [])
    const rule = brokenAddressRule(check.url, addresses, under)
    return rule === null ? check : { ok: false, rule }
  }

  return {
    checkUrl: (text) => checkUrl(text, policy),
    checkBaseUrl: (text) => checkBaseUrl(text, policy),
    resolveAndCheckBase,
    async fetch(request) {
      const publicOnly = request.publicOnly === true
      const check = checkUrl(request.url, policyFor(publicOnly))
      const rule = check.ok ? brokenHeaderRule(request.headers) : check.rule
      if (!check.ok || rule !== null) throw new EgressError('refused', rule === null ? {} : { rule })
      const { url } = check
      const isPrivate = () => privateOrigins.has(url.origin)
      return exchange({ dispatcher: dispatcherFor(publicOnly), url, request, now, isPrivate })
    },
    dial: (target) => dial({ policy, resolve, proxied }, target),
    reachProxy: proxied === null ? null : () => proxied.proxy.reach(),
    close: async () => {
      await Promise.all([dispatcher.destroy(), publicDispatcher?.destroy(), proxied?.proxy.close()])
    },
  }
}

function proxiedBy({ proxy = null }: Pick<EgressOptions, 'proxy'>): Proxied | null {
  if (proxy === null) return null
  return { proxy: createProxy(proxy, longestConnectMs), direct: createDirectList(proxy.direct) }
}

type PolicyOptions = Pick<EgressOptions, 'allowedPrivate' | 'ports' | 'proxy' | 'own'>

function policyOf(
  { allowedPrivate, ports, proxy, own = noOwnAddresses }: PolicyOptions,
  proxied: Proxied | null,
): TargetPolicy {
  return {
    guard: createAddressGuard(allowedPrivate),
    ports: new Set(ports),
    hasPrivate: allowedPrivate.length > 0,
    isResolvedByProxy: (name) => proxy?.names === 'proxy' && proxied?.direct.hasName(name) === false,
    own,
  }
}

// These belong to the connection; a caller that sets one speaks for another host or splits the request.
const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function brokenHeaderRule(headers: EgressRequest['headers']): string | null {
  return Object.keys(headers).some((name) => connectionHeaders.has(name.toLowerCase())) ? 'header' : null
}
