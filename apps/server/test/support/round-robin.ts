/** A load balancer without stickiness: each request goes to the next server. Promises to pass on bytes as they come. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RoundRobin {
  readonly address: string
  close(): Promise<void>
}

export async function openRoundRobin(addresses: readonly string[]): Promise<RoundRobin> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const target = addresses[turn % addresses.length] ?? ''
    turn += 1
    const { method, headers, url } = incoming
    const sent = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    })
    sent.once('error', () => outgoing.destroy())
    outgoing.once('close', () => sent.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
