/**
 * As much of a WebSocket as the stream needs; the browser's, Node's (from 22) and that of `ws` all have it. The handlers
 * are declared as methods because each of the three has an event type of its own.
 */
export interface Socket {
  onopen: Handler<unknown> | null
  onmessage: Handler<{ readonly data: unknown }> | null
  onclose: Handler<{ readonly code: number; readonly reason: string }> | null
  onerror: Handler<unknown> | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

type Handler<E> = { handle(event: E): void }['handle']

export type SocketConstructor = new (url: string) => Socket

/** @throws Error where there is no WebSocket, as on Node 20 */
export function findWebSocket(given: SocketConstructor | undefined): SocketConstructor {
  const found: unknown = given ?? Reflect.get(globalThis, 'WebSocket')
  if (typeof found === 'function') return found as SocketConstructor
  throw new Error('This runtime has no WebSocket: give the client one, for instance that of the package `ws`.')
}

export function streamAddress(baseUrl: string): string {
  return `${baseUrl.replace(/^http/, 'ws')}/ws`
}
