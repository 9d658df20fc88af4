/**
 * Bounds the connections that one address holds open, so that no client takes them all. Of IPv6 a /64 network counts
 * as one address, for that is what a single client gets. A TLS-terminating proxy in front of the server carries the
 * connections of all clients and is not bounded. Tested in test/kernel/slow-clients.test.ts.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { apiErrors } from '../errors/errors.ts'
import type { Kernel } from '../kernel.ts'
import { isAllowedAddress } from '../net/networks.ts'
import { rawProblem } from './raw-problem.ts'

type SocketKernel = Pick<Kernel, 'config' | 'clock' | 'random' | 'metrics'>

export function boundSockets(server: Server, { config, clock, random, metrics }: SocketKernel): void {
  const { connectionsPerAddress: most, trustedProxies, publicUrl } = config
  const open = new Map<string, number>()
  const counted = new WeakSet<Socket>()
  const refused = metrics.counter({
    name: 'http_connections_refused_total',
    help: 'Connections beyond what one address may hold open.',
  })
  // First of all listeners: a refused connection never reaches the parser.
  server.prependListener('connection', (socket: Socket) => {
    // One whose offer of another protocol was set aside comes a second time.
    if (counted.has(socket)) return
    counted.add(socket)
    const ip = socket.remoteAddress ?? ''
    if (trustedProxies.length > 0 && isAllowedAddress(ip, trustedProxies)) return
    const client = clientOf(ip)
    const held = (open.get(client) ?? 0) + 1
    open.set(client, held)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left === 0) open.delete(client)
      else open.set(client, left)
    })
    if (held <= most) return
    refused.add({})
    socket.on('error', () => socket.destroy())
    const problem = apiErrors.tooMany({ what: 'This address holds too many connections open.' })
    socket.end(rawProblem(problem, { random, clock, publicUrl, path: '' }), () => socket.destroy())
  })
}

function clientOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
}
