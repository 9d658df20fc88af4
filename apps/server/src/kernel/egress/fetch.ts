/**
 * The only way out of the process. Promises that a call goes to an address the guard allowed, ends within its timeouts
 * and its byte cap, and is cut at the upstream the moment its signal aborts. Does not follow redirects, decompress,
 * retry, or read proxy settings from the environment. Tested in fetch.test.ts, exchange.test.ts,
 * dial.test.ts and address-guard.test.ts.
 */
import type { Socket } from 'node:net'
import { createAddressGuard } from './address-guard.ts'
import { type DialTarget, dial } from './dial.ts'
import { createGuardedAgent, type Resolve, resolveBySystem } from './dispatcher.ts'
import { EgressError } from './errors.ts'
import { type EgressRequest, type EgressResponse, exchange } from './exchange.ts'
import { brokenAddressRule, checkUrl, literalAddress, type TargetPolicy, type UrlCheck } from './url-guard.ts'

export interface EgressOptions {
  /** CIDRs of the operator, never of a tenant: reachable on any port and by plain http too. */
  readonly allowedPrivate: readonly string[]
  /** Ports besides 443 on which public addresses may be called. */
  readonly ports: readonly number[]
  /** Names to addresses; the system's resolver by default. */
  readonly resolve?: Resolve
  /** A clock in milliseconds, for timings only. */
  readonly now: () => number
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
  /** Closes all connections; calls in flight fail as `aborted`. */
  close(): Promise<void>
}

// The longest connect timeout a provider may be given.
const longestConnectMs = 30_000

/** Makes the process's way out. Throws RangeError on a private range that does not parse or is too wide. */
export function createEgress({ allowedPrivate, ports, resolve = resolveBySystem, now }: EgressOptions): Egress {
  const guard = createAddressGuard(allowedPrivate)
  const policy: TargetPolicy = { guard, ports: new Set(ports), hasPrivate: allowedPrivate.length > 0 }
  return egressUnder(policy, { resolve, now })
}

/** A way out under a policy of its own. */
export function egressUnder(
  policy: TargetPolicy,
  { resolve, now }: { readonly resolve: Resolve; readonly now: () => number },
): Egress {
  const dispatcher = createGuardedAgent({ policy, resolve, connectMs: longestConnectMs })

  async function resolveAndCheck(text: string): Promise<UrlCheck> {
    const check = checkUrl(text, policy)
    if (!check.ok || literalAddress(check.url.hostname) !== null) return check
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
    dial: (target) => dial({ policy, resolve }, target),
    close: () => dispatcher.destroy(),
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
