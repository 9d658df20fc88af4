import {
  DiscardPolicy,
  type JetStreamClient,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import type { ConnectionOptions, NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'

export interface NatsLinkOptions {
  /** `nats://` or `tls://` addresses, comma separated. */
  readonly servers: string
  readonly ca: string | undefined
  /** First token of all subjects; the stream is named after it. */
  readonly prefix: string
  readonly onError: (error: unknown) => void
  /** Called when the stream can be used: at first, and after a cut when the stream is a new one. */
  readonly onStream: () => void
  readonly onHealth: (healthy: boolean) => void
}

type Access = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'>

/**
 * Addresses without their credentials, which are the same for all of them and which the client reads apart. A `tls:`
 * address is not spoken to in clear, whatever the server offers.
 */
function accessOf({ servers, ca }: Pick<NatsLinkOptions, 'servers' | 'ca'>): Access {
  const urls = servers.split(',').map((server) => new URL(server.trim()))
  const [{ username, password } = { username: '', password: '' }] = urls
  const isSecure = urls.some(({ protocol }) => protocol === 'tls:')
  return {
    servers: urls.map(({ host }) => host),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(isSecure ? { tls: ca === undefined ? {} : { ca } } : {}),
  }
}

const minuteNanos = 60_000_000_000
const longestPauseMs = 5_000

/** The connection and its stream: connects and reconnects for ever, and makes the stream where it is missing. */
export class NatsLink {
  readonly stream: string
  readonly #options: NatsLinkOptions
  #connection: NatsConnection | null = null
  #client: JetStreamClient | null = null
  #streamCreated: string | null = null
  #healthy = false
  #closed = false
  readonly #pauses = new Set<() => void>()
  readonly #running: Promise<void>

  constructor(options: NatsLinkOptions) {
    this.#options = options
    this.stream = `${options.prefix.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_EVENTS`
    this.#running = this.#run()
  }

  /** The client while messages can travel, else null. */
  get client(): JetStreamClient | null {
    return this.#healthy ? this.#client : null
  }

  get healthy(): boolean {
    return this.#healthy
  }

  /** A cancelable wait before another try; ends early on close. */
  pause(ms: number): Promise<void> {
    if (this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#pauses.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#pauses.add(end)
    })
  }

  get closed(): boolean {
    return this.#closed
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#setHealthy(false)
    for (const end of this.#pauses) end()
    await this.#connection?.close()
    await this.#running
  }

  async #run(): Promise<void> {
    for (let attempt = 0; !this.#closed; attempt += 1) {
      try {
        const connection = await connect({
          ...accessOf(this.#options),
          name: 'parapet',
          maxReconnectAttempts: -1,
          reconnectTimeWait: 250,
          reconnectJitter: 250,
          pingInterval: 10_000,
          maxPingOut: 2,
          timeout: 5_000,
          ignoreAuthErrorAbort: true,
        })
        attempt = 0
        await this.#serve(connection)
      } catch (error) {
        this.#options.onError(error)
      }
      this.#setHealthy(false)
      await this.pause(Math.min(100 * 2 ** attempt, longestPauseMs))
    }
  }

  /** Lives as long as a connection; the client library reconnects inside it. */
  async #serve(connection: NatsConnection): Promise<void> {
    this.#connection = connection
    if (this.#closed) return connection.close()
    this.#client = jetstream(connection, { timeout: 5_000 })
    void this.#prepare(connection)
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') this.#setHealthy(false)
      if (status.type === 'reconnect') void this.#prepare(connection)
      if (status.type === 'error') this.#options.onError(status.error)
    }
  }

  async #prepare(connection: NatsConnection): Promise<void> {
    while (!this.#closed && !connection.isClosed()) {
      try {
        const created = await this.#ensureStream(connection)
        const isNew = created !== this.#streamCreated
        this.#streamCreated = created
        this.#setHealthy(true)
        if (isNew) this.#options.onStream()
        return
      } catch (error) {
        this.#options.onError(error)
        await this.pause(1_000)
      }
    }
  }

  /** Makes the stream if it is missing, leaves an operator's own settings alone, and tells when it was made. */
  async #ensureStream(connection: NatsConnection): Promise<string> {
    const { streams } = await jetstreamManager(connection, { timeout: 5_000, checkAPI: false })
    const found = await streams.info(this.stream).catch(() => null)
    if (found !== null) return found.created
    const made = await streams.add({
      name: this.stream,
      subjects: [`${this.#options.prefix}.ev.>`, `${this.#options.prefix}.ctl.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: 60 * minuteNanos,
      duplicate_window: 2 * minuteNanos,
    })
    return made.created
  }

  #setHealthy(healthy: boolean): void {
    if (this.#healthy === healthy) return
    this.#healthy = healthy
    this.#options.onHealth(healthy)
  }
}
