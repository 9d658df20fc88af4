import { type ConsumerMessages, DeliverPolicy, type JetStreamClient, type JsMsg } from '@nats-io/jetstream'

export interface NatsFeedOptions {
  /** Everything below this subject. */
  readonly subject: string
  readonly onMessage: (message: JsMsg) => void
  readonly onError: (error: unknown) => void
  /** Called when reading ended without `stop`. */
  readonly onEnd: () => void
}

/** The messages below one subject from now on, read through an ordered consumer of this instance alone. */
export class NatsFeed {
  readonly #options: NatsFeedOptions
  #messages: ConsumerMessages | null = null
  #turn = 0

  constructor(options: NatsFeedOptions) {
    this.#options = options
  }

  /** Begins to read, or begins anew on another stream. Resolves when nothing published later is missed. */
  async start(client: JetStreamClient, stream: string): Promise<void> {
    this.#turn += 1
    const turn = this.#turn
    await this.#messages?.close()
    const consumer = await client.consumers.get(stream, {
      filter_subjects: `${this.#options.subject}.>`,
      deliver_policy: DeliverPolicy.New,
    })
    const messages = await consumer.consume({ callback: (message) => this.#deliver(message) })
    if (turn !== this.#turn) return void (await messages.close())
    this.#messages = messages
    void messages.closed().then((error) => {
      if (turn !== this.#turn) return
      if (error instanceof Error) this.#options.onError(error)
      this.#options.onEnd()
    })
  }

  async stop(): Promise<void> {
    this.#turn += 1
    await this.#messages?.close()
    this.#messages = null
  }

  #deliver(message: JsMsg): void {
    try {
      this.#options.onMessage(message)
    } catch (error) {
      this.#options.onError(error)
    }
  }
}
