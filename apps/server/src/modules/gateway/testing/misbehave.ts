/** Misbehavior of providers. */
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus } from '../../../../test/support/world.ts'
import type { Reply, Upstream } from './upstream.ts'

/** Ends the connection without an answer. */
export const reset: Reply = (response) => void response.socket?.destroy()

/** A page where JSON should be. */
export const html: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end('<!doctype html><title>Sign in</title>')
}

/** Says it will send more than anybody takes. */
export const tooLarge: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(17 * 1_048_576) })
  response.write('{"choices":[')
}

/** The head of an answer and a first piece, then silence. */
export function quietAfter(piece: string, type = 'application/json'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(piece)
  }
}

/** Pieces for ever, each well within the gap that is allowed. */
export const drip: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(timer))
}

/** A stream that begins with an error. */
export function errorEvent(error: object): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify({ error })}\n\n`)
  }
}

/** Answers, but only after this long. */
export function late(ms: number, reply: Reply): Reply {
  return (response, received) => {
    const timer = setTimeout(() => void reply(response, received), ms)
    response.once('close', () => clearTimeout(timer))
  }
}

/** Answers when it is told to. */
export function heldBack(reply: Reply): { readonly reply: Reply; readonly release: () => void } {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { reply: (response, received) => released.then(() => reply(response, received)), release }
}

let made = 0

/** A route over these targets with a name of its own. */
export async function makeRoute(admin: TestClient, targets: readonly object[], over: object = {}) {
  made += 1
  const body = { name: `route-${made}`, targets, ...over }
  return expectStatus(await admin.post('/gateway/routes', body), 201).body.data
}

/** An address without a listener. */
export const nobody: Pick<Upstream, 'url'> = { url: 'http://127.0.0.1:9/v1' }
