/**
 * Connections that carry no HTTP, such as syslog's. Promises that only an address the guard allows is dialed, on the port
 * the operator named; in clear only an address of a private range that is allowed. Tested in dial.test.ts.
 */
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { checkedLookup, type Resolve } from './dispatcher.ts'
import { EgressError } from './errors.ts'
import { brokenAddressRule, type TargetPolicy } from './url-guard.ts'

export interface DialTarget {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Null for a connection in clear; `ca` in PEM, default those that Node knows. */
  readonly tls: { readonly ca?: string | undefined } | null
  /** Milliseconds until the connection, TLS included, has to stand. */
  readonly timeoutMs: number
}

export interface Dialing {
  readonly policy: TargetPolicy
  readonly resolve: Resolve
}

/** @throws EgressError */
export async function dial({ policy, resolve }: Dialing, { host, port, tls, timeoutMs }: DialTarget): Promise<Socket> {
  // Rules for public addresses speak of schemes: TLS is allowed as https is, and clear text as little as http.
  const target = { protocol: tls === null ? 'http:' : 'https:', port: '' }
  const judge = (addresses: readonly string[]): void => {
    const rule = brokenAddressRule(target, addresses, policy)
    if (rule !== null) throw new EgressError('refused', { rule })
  }
  if (isIP(host) !== 0) judge([host])
  const options = { host, port, autoSelectFamily: true, lookup: checkedLookup(target, { policy, resolve }) }
  const named = isIP(host) === 0 ? { servername: host } : {}
  const socket =
    tls === null
      ? connect(options)
      : connectTls({ ...options, ...named, ...(tls.ca === undefined ? {} : { ca: tls.ca }) })
  try {
    await once(socket, tls === null ? 'connect' : 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    judge(socket.remoteAddress === undefined ? [] : [socket.remoteAddress])
    return socket
  } catch (error) {
    socket.destroy()
    // What comes late is nobody's any more.
    socket.on('error', () => undefined)
    if (error instanceof EgressError) throw error
    const isLate = error instanceof Error && error.name === 'AbortError'
    throw new EgressError(isLate ? 'timeout_connect' : 'connect', { cause: error })
  }
}
