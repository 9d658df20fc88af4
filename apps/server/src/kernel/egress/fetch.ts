/**
 * The only way out of the process. Promises that a call goes to an address the guard allowed, ends within its timeouts
 * and its byte cap, and is cut at the upstream the moment its signal aborts. Does not follow redirects, decompress,
 * retry, or read proxy settings from the environment: the proxy is the operator's. Tested in fetch.test.ts,
 * exchange.test.ts, dial.test.ts, proxied.test.ts and address-guard.test.ts.
 */
import type { Socket } from 'node:net'
import { createAddressGuard } from '../net/address-guard.ts'
import { createDirectList } from '../net/direct-list.ts'
import { type DialTarget, dial } from './dial.ts'
import { createGuardedAgent } from './dispatcher.ts'
import { EgressError } from './errors.ts'
import { type EgressRequest, type EgressResponse, exchange } from './exchange.ts'
import { createProxy, type ProxyPlace } from './proxy.ts'
import { type Resolve, resolveBySystem } from './resolve.ts'
import { brokenAddressRule, checkUrl, literalAddress, type TargetPolicy, type UrlCheck } from './url-guard.ts'
import type { Proxied } from './way.ts'

export interface EgressOptions {
  /** CIDRs of the operator, never of a tenant: reachable on any port and by plain http too. */
  readonly allowedPrivate: readonly string[]
  /** Ports besides 443 on which public addresses may be called. */
  readonly ports: readonly number[]
  /** Names to addresses; the system's resolver by default. */
  readonly resolve?: Resolve
  /** Certificates (PEM) of who signs those of https targets; default those that Node knows. */
  readonly ca?: string
  /** The operator's proxy; without one all calls go straight to their targets. */
  readonly proxy?: EgressProxy | null
  /** A clock in milliseconds, for timings only. */
  readonly now: () => number
}

export interface EgressProxy extends ProxyPlace {
  /** Names, addresses and CIDRs that are called without it. */
  readonly direct: readonly string[]
  /**
   * Who resolves the names of the rest. `here`: every address is checked and the proxy is asked for a checked one.
   * `proxy`, for networks that know no names of the outside: it is asked for the name and trusted with what that stands for.
   */
  readonly names: 'here' | 'proxy'
}

export interface Egress {
  /** Form, scheme, port and literal address; does not resolve. */
  checkUrl(url: string): UrlCheck
  /** The same and every address of the name. Nothing is dialed. The rule of a name without addresses is `unresolvable`. */
  resolveAndCheck(url: string): Promise<UrlCheck>
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
  const dispatcher = createGuardedAgent({ policy, resolve, connectMs: longestConnectMs, ca, proxied })

  async function resolveAndCheck(text: string): Promise<UrlCheck> {
    const check = checkUrl(text, policy)
    if (!check.ok || literalAddress(check.url.hostname) !== null) return check
    if (policy.isResolvedByProxy(check.url.hostname)) return check
    const addresses = await resolve(check.url.hostname).catch(() => [])
    const rule = brokenAddressRule(check.url, addresses, policy)
    return rule === null ? check : { ok: false, rule }
  }

  return {
    checkUrl: (text) => checkUrl(text, policy),
    resolveAndCheck,
    async fetch(request) {
      const check = checkUrl(request.url, policy)
      const rule = check.ok ? brokenHeaderRule(request.headers) : check.rule
      if (!check.ok || rule !== null) throw new EgressError('refused', rule === null ? {} : { rule })
      return exchange({ dispatcher, url: check.url, request, now })
    },
    dial: (target) => dial({ policy, resolve, proxied }, target),
    reachProxy: proxied === null ? null : () => proxied.proxy.reach(),
    close: async () => {
      await Promise.all([dispatcher.destroy(), proxied?.proxy.close()])
    },
  }
}

function proxiedBy({ proxy = null }: Pick<EgressOptions, 'proxy'>): Proxied | null {
  if (proxy === null) return null
  return { proxy: createProxy(proxy, longestConnectMs), direct: createDirectList(proxy.direct) }
}

type PolicyOptions = Pick<EgressOptions, 'allowedPrivate' | 'ports' | 'proxy'>

function policyOf({ allowedPrivate, ports, proxy }: PolicyOptions, proxied: Proxied | null): TargetPolicy {
  return {
    guard: createAddressGuard(allowedPrivate),
    ports: new Set(ports),
    hasPrivate: allowedPrivate.length > 0,
    isResolvedByProxy: (name) => proxy?.names === 'proxy' && proxied?.direct.hasName(name) === false,
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
