/**
 * The one way to open a Valkey (or Redis 7) connection. Promises that a command answers or fails within `commandTimeoutMs`
 * and that the connection comes back by itself, for ever. Does not promise that commands survive a cut: nothing is
 * queued while disconnected and nothing is sent twice. Tested through the limits and cache suites.
 */
import { Redis } from 'iovalkey'

export type ValkeyClient = Redis

export interface ValkeyConnectionOptions {
  /** `redis://[user:password@]host:port[/db]`, or `rediss://` for TLS. */
  readonly url: string
  /** CA certificates (PEM) for the server, for `rediss://`; default those that Node knows. */
  readonly ca?: string | undefined
  /** Milliseconds a command may take (default 250). */
  readonly commandTimeoutMs?: number
  /** Told of every connection error; the connection keeps trying. */
  readonly onError: (error: unknown) => void
}

/** Opens a connection and returns at once; the adapters work without it until it is ready. */
export function connectValkey(options: ValkeyConnectionOptions): ValkeyClient {
  const { ca, url } = options
  const isSecure = /^(?:rediss|valkeys):/.test(url)
  const client = new Redis(url, {
    ...(isSecure && ca !== undefined ? { tls: { ca } } : {}),
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: options.commandTimeoutMs ?? 250,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
  })
  client.on('error', options.onError)
  return client
}

/** Resolves when the connection is ready, rejects after `withinMs` milliseconds. */
export function whenReady(client: ValkeyClient, withinMs: number): Promise<void> {
  if (client.status === 'ready') return Promise.resolve()
  return new Promise((resolve, reject) => {
    const onReady = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      client.off('ready', onReady)
      reject(new Error(`Valkey was not ready within ${withinMs} ms.`))
    }, withinMs)
    client.once('ready', onReady)
  })
}
