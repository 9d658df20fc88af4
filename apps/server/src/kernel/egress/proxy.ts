/**
 * Ways through the operator's proxy (HTTP CONNECT, RFC 9110 section 9.3.6), which carry the same bytes as a direct
 * call, in clear or under TLS. Promises that the proxy's credential goes to the proxy alone and stands in no error,
 * and that the proxy's own answers are told apart from the target's. way.ts decides the allowed targets.
 * Tested in proxy.test.ts.
 *
 * undici's own ProxyAgent asks for the name of the target, which the proxy would resolve anew, and reports the proxy's
 * answer in a message only; its parts (`Pool`, `connect`, `buildConnector`) serve here.
 */
import { readFile } from 'node:fs/promises'
import { isIP, Socket } from 'node:net'
import { buildConnector, Pool } from 'undici'
import { EgressError } from './errors.ts'
import { literalAddress } from './url-guard.ts'

export interface ProxyPlace {
  /** `http://host:port` or `https://host:port`; may hold user and password, percent-encoded. */
  readonly url: string
  /** File of `user:password`, read for each way, so that it may be renewed. */
  readonly credentialFile: string | null
  /** CA certificates (PEM) for the proxy; default those that Node knows. */
  readonly ca?: string | undefined
}

export interface ForwardProxy {
  /** A connection to the first of these hosts that the proxy can reach. @throws EgressError */
  open(hosts: readonly string[], port: number, signal: AbortSignal): Promise<Socket>
  /** Connects to the proxy itself and asks nothing of it. @throws EgressError */
  reach(): Promise<void>
  close(): Promise<void>
}

/** Hosts that are tried for one call: a name may have more addresses than a caller has patience. */
const mostHosts = 4

export function createProxy(place: ProxyPlace, connectMs: number): ForwardProxy {
  const { origin, hostname, protocol, port } = new URL(place.url)
  const authorization = authorizationOf(place)
  const connector = buildConnector({
    timeout: connectMs,
    autoSelectFamily: true,
    ...(place.ca === undefined ? {} : { ca: place.ca }),
  })
  // The pool would ask the proxy's TLS for the name of the target, which stands in the Host header.
  const servername = literalAddress(hostname) === null ? hostname : ''
  const pool = new Pool(origin, {
    connect: (target, callback) =>
      connector({ ...target, servername }, (error, socket) =>
        error === null ? callback(null, socket) : callback(unreachable(error), null),
      ),
    // The caller that waits for a tunnel sets the time limit.
    headersTimeout: 0,
    pipelining: 1,
  })

  async function ask(authority: string, signal: AbortSignal): Promise<Socket> {
    const headers = { host: authority, ...(await authorization()) }
    const { statusCode, socket } = await pool
      .connect({ path: authority, headers, signal })
      .catch((error: unknown) => Promise.reject(failureOf(error, signal)))
    if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) return socket
    // It may still be telling why.
    socket.on('error', () => undefined).destroy()
    throw new EgressError('proxy', { answered: statusCode })
  }

  return {
    async open(hosts, at, signal) {
      const tried = hosts.slice(0, mostHosts)
      for (const [index, host] of tried.entries()) {
        try {
          return await ask(`${isIP(host) === 6 ? `[${host}]` : host}:${at}`, signal)
        } catch (error) {
          if (index === tried.length - 1 || !cannotReach(error)) throw error
        }
      }
      throw new EgressError('connect')
    },
    reach: () =>
      new Promise((resolve, reject) => {
        connector({ hostname, protocol, port, host: new URL(origin).host, servername }, (error, socket) => {
          if (error !== null) return reject(unreachable(error))
          socket.destroy()
          return resolve()
        })
      }),
    close: () => pool.destroy(),
  }
}

/** The proxy could not reach the target at this address: another address may do better. */
function cannotReach(error: unknown): boolean {
  return error instanceof EgressError && error.answered !== null && error.answered >= 500
}

type Authorization = () => Promise<Readonly<Record<string, string>>>

function authorizationOf({ url, credentialFile }: ProxyPlace): Authorization {
  const { username, password } = new URL(url)
  if (credentialFile !== null) return async () => basic(await credentialIn(credentialFile))
  if (username === '' && password === '') return async () => ({})
  return async () => basic(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
}

/** RFC 7617. */
const basic = (credential: string) => ({
  'proxy-authorization': `Basic ${Buffer.from(credential, 'utf8').toString('base64')}`,
})

/** @throws EgressError */
async function credentialIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) =>
    Promise.reject(new EgressError('proxy', { cause })),
  )
  return text.replace(/\r?\n$/, '')
}

const unreachable = (error: Error): EgressError =>
  new EgressError(isLate(error) ? 'timeout_connect' : 'proxy', { cause: error })

const isLate = (error: Error): boolean => 'code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT'

function failureOf(error: unknown, signal: AbortSignal): EgressError {
  if (error instanceof EgressError) return error
  if (signal.aborted) return new EgressError('timeout_connect', { cause: error })
  const isClosed = error instanceof Error && 'code' in error && error.code === 'UND_ERR_DESTROYED'
  return new EgressError(isClosed ? 'aborted' : 'proxy', { cause: error })
}
