import WebSocket from 'ws'

export interface ApiAnswer {
  readonly status: number
  readonly data: Record<string, unknown>
  readonly body: Record<string, unknown>
}

/** A client that knows the public API only, as any other program would. */
export class DemoClient {
  readonly #base: string
  token = ''

  constructor(base: string) {
    this.#base = base
  }

  get(path: string): Promise<ApiAnswer> {
    return this.#call('GET', path)
  }

  post(path: string, body: object): Promise<ApiAnswer> {
    return this.#call('POST', path, body)
  }

  /** As `post`, but anything other than success ends the demo with the server's words. */
  async must(path: string, body: object): Promise<ApiAnswer> {
    const answer = await this.post(path, body)
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  async #call(method: string, path: string, body?: object): Promise<ApiAnswer> {
    const answer = await fetch(`${this.#base}/api/v1${path}`, {
      method,
      headers: {
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed = (await answer.json()) as Record<string, unknown>
    return { status: answer.status, body: parsed, data: (parsed.data ?? {}) as Record<string, unknown> }
  }
}

export interface SeenEvent {
  readonly channel: string
  readonly data: Record<string, unknown>
}

export interface EventWatch {
  readonly seen: readonly SeenEvent[]
  /** The first event of the channel after position `from`, or null after `ms` milliseconds. */
  next(channel: string, from: number, ms?: number): Promise<SeenEvent | null>
  close(): void
}

/** Opens `/ws`, authenticates, and keeps what arrives on every channel. */
export async function watchEvents(base: string, token: string): Promise<EventWatch> {
  const seen: SeenEvent[] = []
  const waiting = new Set<() => void>()
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/ws`)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('open', () => socket.send(JSON.stringify({ type: 'authenticate', token })))
    socket.on('message', (frame) => {
      const message = JSON.parse(String(frame)) as Record<string, unknown>
      if (message.type === 'authenticated') socket.send(JSON.stringify({ type: 'subscribe', channels: ['*'] }))
      if (message.type === 'subscribed') resolve()
      if (typeof message.specversion === 'string')
        seen.push({ channel: String(message.channel), data: message.data as Record<string, unknown> })
      for (const look of waiting) look()
    })
  })
  return {
    seen,
    close: () => socket.close(),
    next: (channel, from, ms = 8_000) =>
      new Promise((resolve) => {
        const done = (event: SeenEvent | null): void => {
          clearTimeout(limit)
          waiting.delete(look)
          resolve(event)
        }
        const look = (): void => {
          const found = seen.slice(from).find((event) => event.channel === channel)
          if (found !== undefined) done(found)
        }
        const limit = setTimeout(() => done(null), ms)
        waiting.add(look)
        look()
      }),
  }
}
