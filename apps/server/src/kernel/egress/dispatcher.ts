import { Agent, buildConnector } from 'undici'
import { EgressError } from './errors.ts'
import { checkedLookup, type Resolve } from './resolve.ts'
import { brokenAddressRule, literalAddress, type TargetPolicy } from './url-guard.ts'
import { type Proxied, wayTo } from './way.ts'

export interface DispatcherOptions {
  readonly policy: TargetPolicy
  readonly resolve: Resolve
  /** Milliseconds after which an unfinished connection is given up; callers give up earlier by their own timeouts. */
  readonly connectMs: number
  /** CA certificates (PEM) for the targets; default those that Node knows. */
  readonly ca?: string | undefined
  /** Null where calls go straight to their targets. */
  readonly proxied: Proxied | null
  /** Told of every address that a connection to an origin was made to. */
  readonly dialed: (origin: string, address: string) => void
}

type Connector = ReturnType<typeof buildConnector>
type Target = Pick<Parameters<Connector>[0], 'protocol' | 'port'>
type Host = Target & Pick<Parameters<Connector>[0], 'hostname'>

/**
 * A connection pool that can only dial addresses the policy allows: the pool's own lookup resolves and checks, and the
 * socket gets the checked addresses, so a name that changes its answer afterwards gains nothing. The same holds for ways
 * through the operator's proxy. Redirects are never followed and proxy variables of the environment are not read.
 */
export function createGuardedAgent(options: DispatcherOptions): Agent {
  const direct = guardedConnector(options)
  return new Agent({
    connect: options.proxied === null ? direct : proxiedConnector(options, { direct, proxied: options.proxied }),
    // The phases of a call are timed by the caller of the pool, to the millisecond.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    pipelining: 1,
  })
}

function guardedConnector(options: DispatcherOptions): Connector {
  // One connector per kind of target, because a lookup receives the name only, and both keep their TLS sessions.
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
      if (dialed === null) {
        options.dialed(originOf(target), socket.remoteAddress ?? '')
        return callback(null, socket)
      }
      socket.destroy()
      return callback(new EgressError('refused', { rule: dialed }), null)
    })
  }
}

function connectorFor(target: Target, options: DispatcherOptions): Connector {
  return buildConnector({
    ...common(options),
    autoSelectFamily: true,
    lookup: checkedLookup({ protocol: target.protocol, port: target.port }, options),
  })
}

interface Ways {
  readonly direct: Connector
  readonly proxied: Proxied
}

function proxiedConnector(options: DispatcherOptions, { direct, proxied }: Ways): Connector {
  const secure = buildConnector(common(options))
  const standard = (protocol: string) => (protocol === 'https:' ? 443 : 80)
  const connect = async (...[target, callback]: Parameters<Connector>): Promise<void> => {
    const way = await wayTo(target, proxied, options)
    if (way.kind === 'direct') {
      const { addresses } = way
      const dial = addresses === null ? direct : guardedConnector({ ...options, resolve: async () => addresses })
      return dial(target, callback)
    }
    const port = target.port === '' ? standard(target.protocol) : Number(target.port)
    const httpSocket = await proxied.proxy.open(way.hosts, port, AbortSignal.timeout(options.connectMs))
    for (const host of way.hosts) options.dialed(originOf(target), host)
    return target.protocol === 'https:' ? secure({ ...target, httpSocket }, callback) : callback(null, httpSocket)
  }
  return (target, callback) => {
    connect(target, callback).catch((error: Error) => callback(error, null))
  }
}

/** As `URL.origin` writes it. */
const originOf = ({ protocol, hostname, port }: Host): string =>
  `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`

const common = ({ connectMs, ca }: DispatcherOptions) => ({ timeout: connectMs, ...(ca === undefined ? {} : { ca }) })
