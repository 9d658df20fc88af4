/**
 * Connections that carry no HTTP, such as syslog's. Promises that only an address the guard allows is dialed, on the port
 * the operator named; in clear only an address of a private range that is allowed. Tested in dial.test.ts and
 * proxied.test.ts.
 */
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { EgressError } from './errors.ts'
import { checkedLookup } from './resolve.ts'
import { brokenAddressRule } from './url-guard.ts'
import { type Guarded, type Proxied, wayTo } from './way.ts'

export interface DialTarget {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Null for a connection in clear; `ca` in PEM, default those that Node knows. */
  readonly tls: { readonly ca?: string | undefined } | null
  /** With `tls: null`: the caller begins TLS itself before it sends anything else, so the address is judged as for TLS. */
  readonly startsTls?: boolean
  /** Milliseconds until the connection, TLS included, has to stand. */
  readonly timeoutMs: number
  /** For callers that must see the target's own end of the connection, which a proxy would replace by its own. */
  readonly withoutProxy?: boolean
}

export interface Dialing extends Guarded {
  /** Null where connections go straight to their targets. */
  readonly proxied: Proxied | null
}

/** @throws EgressError */
export async function dial(dialing: Dialing, target: DialTarget): Promise<Socket> {
  const signal = AbortSignal.timeout(target.timeoutMs)
  const { proxied } = dialing
  if (proxied === null || target.withoutProxy === true) return dialDirect(dialing, target, signal)
  const wanted = { hostname: target.host, ...judged(target) }
  const way = await Promise.race([wayTo(wanted, proxied, dialing), tooLate(signal)])
  if (way.kind === 'proxy') {
    const socket = await proxied.proxy.open(way.hosts, target.port, signal)
    return target.tls === null ? socket : standing(connectTls({ socket, ...tlsOptions(target) }), target, signal)
  }
  const { addresses } = way
  const resolve = addresses === null ? dialing.resolve : async () => addresses
  return dialDirect({ policy: dialing.policy, resolve }, target, signal)
}

// Rules for public addresses speak of schemes: TLS is allowed as https is, and clear text as little as http.
const judged = ({ tls, startsTls = false, port }: Pick<DialTarget, 'tls' | 'startsTls' | 'port'>) => ({
  protocol: tls === null && !startsTls ? 'http:' : 'https:',
  port: '',
  dialedPort: port,
})

async function dialDirect(guarded: Guarded, to: DialTarget, signal: AbortSignal): Promise<Socket> {
  const target = judged(to)
  const judge = (addresses: readonly string[]): void => {
    const rule = brokenAddressRule(target, addresses, guarded.policy)
    if (rule !== null) throw new EgressError('refused', { rule })
  }
  const { host, port } = to
  if (isIP(host) !== 0) judge([host])
  const options = { host, port, autoSelectFamily: true, lookup: checkedLookup(target, guarded) }
  const connecting = to.tls === null ? connect(options) : connectTls({ ...options, ...tlsOptions(to) })
  const socket = await standing(connecting, to, signal)
  try {
    judge(socket.remoteAddress === undefined ? [] : [socket.remoteAddress])
    return socket
  } catch (error) {
    giveUp(socket)
    throw error
  }
}

/** The name is what the certificate has to be for; an address stands in `host`, because SNI has none (RFC 6066). */
function tlsOptions({ host, tls }: DialTarget) {
  const named = isIP(host) === 0 ? { servername: host } : { host }
  return tls?.ca === undefined ? named : { ...named, ca: tls.ca }
}

/** @throws EgressError */
async function standing(socket: Socket, { tls }: DialTarget, signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, tls === null ? 'connect' : 'secureConnect', { signal })
    return socket
  } catch (error) {
    giveUp(socket)
    if (error instanceof EgressError) throw error
    throw new EgressError(signal.aborted ? 'timeout_connect' : 'connect', { cause: error })
  }
}

function giveUp(socket: Socket): void {
  socket.destroy()
  // A late connection has no owner any more.
  socket.on('error', () => undefined)
}

function tooLate(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new EgressError('timeout_connect')), { once: true })
  })
}
