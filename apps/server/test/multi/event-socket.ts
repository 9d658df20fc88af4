import { WebSocket } from 'ws'

export interface ReceivedEvent {
  readonly id: string
  readonly channel: string
  readonly sequence: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A client of the event stream that remembers what it got. */
export interface EventSocket {
  /** In the order they came. */
  readonly events: readonly ReceivedEvent[]
  close(): void
}

/** Resolves when the server has taken the subscription. @throws Error when it refuses it or goes away */
export function openEventSocket(address: string, token: string, channels: readonly string[]): Promise<EventSocket> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
  const events: ReceivedEvent[] = []
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The socket was closed before it was subscribed')))
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString())
      if (frame.specversion !== undefined) events.push(frame)
      if (frame.type === 'authenticated') socket.send(JSON.stringify({ type: 'subscribe', channels }))
      if (frame.type === 'error') reject(new Error(JSON.stringify(frame)))
      if (frame.type === 'subscribed') resolve({ events, close: () => socket.close() })
    })
  })
}
