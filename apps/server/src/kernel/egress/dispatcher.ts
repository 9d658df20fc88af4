import { lookup as systemLookup } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { EgressError } from './errors.ts'
import { brokenAddressRule, literalAddress, type TargetPolicy } from './url-guard.ts'

/** All addresses of a name, IPv4 and IPv6; an empty list or an error when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface DispatcherOptions {
  readonly policy: TargetPolicy
  readonly resolve: Resolve
  /** Milliseconds after which an unfinished connection is given up; callers give up earlier by their own timeouts. */
  readonly connectMs: number
}

type Connector = ReturnType<typeof buildConnector>
type Target = Pick<Parameters<Connector>[0], 'protocol' | 'port'>

/**
 * A connection pool that can only dial addresses the policy allows: the pool's own lookup resolves and checks, and the
 * socket gets the checked addresses, so a name that changes its answer afterwards gains nothing. Redirects are never
 * followed and proxy variables of the environment are not read.
 */
export function createGuardedAgent(options: DispatcherOptions): Agent {
  return new Agent({
    connect: guardedConnector(options),
    // The phases of a call are timed by the caller of the pool, to the millisecond.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    pipelining: 1,
  })
}

/** All addresses as the system resolves them, hosts file included. */
export const resolveBySystem: Resolve = async (hostname) => {
  const answers = await systemLookup(hostname, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

function guardedConnector(options: DispatcherOptions): Connector {
  // One connector per kind of target, because a lookup is told the name only, and both keep their TLS sessions.
  const connectors = new Map<string, Connector>()
  return (target, callback) => {
    const literal = literalAddress(target.hostname)
    const rule = literal === null ? null : brokenAddressRule(target, [literal], options.policy)
    if (rule !== null) return callback(new EgressError('refused', { rule }), null)
    const kind = `${target.protocol}${target.port}`
    const connector = connectors.get(kind) ?? connectorFor(target, options)
    connectors.set(kind, connector)
    return connector(target, (error, socket) => {
      if (error !== null) return callback(error, null)
      const dialed = brokenAddressRule(
        target,
        socket.remoteAddress === undefined ? [] : [socket.remoteAddress],
        options.policy,
      )
      if (dialed === null) return callback(null, socket)
      socket.destroy()
      return callback(new EgressError('refused', { rule: dialed }), null)
    })
  }
}

function connectorFor(target: Target, options: DispatcherOptions): Connector {
  return buildConnector({
    timeout: options.connectMs,
    autoSelectFamily: true,
    lookup: checkedLookup({ protocol: target.protocol, port: target.port }, options),
  })
}

/** Resolves and checks: what it hands out is what the guard has seen. */
export function checkedLookup(
  target: Target,
  { policy, resolve }: Pick<DispatcherOptions, 'policy' | 'resolve'>,
): LookupFunction {
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
  rule === 'unresolvable' ? new EgressError('connect') : new EgressError('refused', { rule })
