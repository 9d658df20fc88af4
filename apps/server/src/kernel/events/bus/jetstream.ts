import type { JsMsg } from '@nats-io/jetstream'
import { NatsFeed } from './nats-feed.ts'
import { NatsLink } from './nats-link.ts'
import { type Bus, type BusMessage, checkPrefix, subjectError } from './port.ts'

export interface JetStreamBusOptions {
  /** `nats://` or `tls://` addresses, comma separated. */
  readonly servers: string
  /** CA certificates (PEM) for the servers; default those that Node knows. */
  readonly ca?: string | undefined
  /** First token of all subjects (default `parapet`): the stream is then `PARAPET_EVENTS`. */
  readonly prefix?: string
  /** Told of every failed publish, connection and handler. */
  readonly onError: (error: unknown) => void
  /** Told when messages can travel, and when they no longer can. */
  readonly onHealth?: (healthy: boolean) => void
}

interface Channel {
  readonly feed: NatsFeed
  readonly handlers: Set<(message: BusMessage) => void>
  /** Settled when the first try to read is over. */
  readonly ready: Promise<void>
}

const publishTimeoutMs = 5_000
const restartPauseMs = 1_000

/**
 * A bus over NATS JetStream. Returns at once and connects in the background, for ever; until then `healthy` is false,
 * messages are given up and subscriptions wait. One ordered consumer serves all subscriptions to the same prefix.
 */
export function createJetStreamBus(options: JetStreamBusOptions): Bus {
  return new JetStreamBus(options)
}

class JetStreamBus implements Bus {
  readonly #prefix: string
  readonly #onError: (error: unknown) => void
  readonly #channels = new Map<string, Channel>()
  readonly #link: NatsLink

  constructor({ servers, ca, prefix = 'parapet', onError, onHealth = () => {} }: JetStreamBusOptions) {
    this.#prefix = prefix
    this.#onError = onError
    this.#link = new NatsLink({ servers, ca, prefix, onError, onHealth, onStream: () => this.#startAll() })
  }

  async publish(message: BusMessage): Promise<void> {
    try {
      await send(this.#link, this.#prefix, message)
    } catch (error) {
      this.#onError(error)
    }
  }

  async subscribe(prefix: string, handler: (message: BusMessage) => void): Promise<() => Promise<void>> {
    checkPrefix(prefix)
    const channel = this.#channels.get(prefix) ?? this.#openChannel(prefix)
    // The same function may be subscribed twice, and each subscription ends by itself.
    const mine = (message: BusMessage) => handler(message)
    channel.handlers.add(mine)
    await channel.ready
    return async () => {
      if (!channel.handlers.delete(mine) || channel.handlers.size > 0) return
      this.#channels.delete(prefix)
      await channel.feed.stop()
    }
  }

  healthy(): boolean {
    return this.#link.healthy
  }

  async close(): Promise<void> {
    const feeds = [...this.#channels.values()].map((channel) => channel.feed)
    this.#channels.clear()
    if (this.#link.healthy) await Promise.all(feeds.map((feed) => feed.stop()))
    await this.#link.close()
  }

  #openChannel(prefix: string): Channel {
    const handlers: Channel['handlers'] = new Set()
    const feed: NatsFeed = new NatsFeed({
      subject: `${this.#prefix}.${prefix}`,
      onMessage: (message) => deliver(read(message, this.#prefix), handlers, this.#onError),
      onError: this.#onError,
      onEnd: () => void this.#startLater(feed),
    })
    const channel = { feed, handlers, ready: this.#start(feed) }
    this.#channels.set(prefix, channel)
    return channel
  }

  #startAll(): void {
    for (const { feed } of this.#channels.values()) void this.#start(feed)
  }

  /** Without a client nothing is done: the link starts all feeds when the stream is there. */
  async #start(feed: NatsFeed): Promise<void> {
    const { client, stream } = this.#link
    if (client === null) return
    try {
      await feed.start(client, stream)
    } catch (error) {
      if (this.#link.closed) return
      this.#onError(error)
      void this.#startLater(feed)
    }
  }

  async #startLater(feed: NatsFeed): Promise<void> {
    const isWanted = () => [...this.#channels.values()].some((channel) => channel.feed === feed)
    do await this.#link.pause(restartPauseMs)
    while (isWanted() && !this.#link.closed && this.#link.client === null)
    if (isWanted()) await this.#start(feed)
  }
}

async function send(link: NatsLink, prefix: string, { subject, id, body }: BusMessage): Promise<void> {
  const malformed = subjectError(subject)
  if (malformed !== null) throw malformed
  if (link.client === null) throw new Error('The bus is not connected.')
  await link.client.publish(`${prefix}.${subject}`, body, { msgID: id, timeout: publishTimeoutMs })
}

function read(message: JsMsg, prefix: string): BusMessage {
  return {
    subject: message.subject.slice(prefix.length + 1),
    id: message.headers?.get('Nats-Msg-Id') ?? '',
    body: message.data,
  }
}

function deliver(message: BusMessage, handlers: Channel['handlers'], onError: (error: unknown) => void): void {
  for (const handler of [...handlers]) {
    try {
      handler(message)
    } catch (error) {
      onError(error)
    }
  }
}
