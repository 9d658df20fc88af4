import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createStopping } from '../lifecycle/stopping.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createDrain } from './closing.ts'

test('a client that left in the middle of an answer does not keep the server from closing', async () => {
  const app = fastify()
  let abandoned = 0
  const drain = createDrain(app, createStopping({ clock: createFakeClock(), graceMs: 1_000 }))
  app.addHook('onRequest', (request, reply, done) => {
    drain.entered({ socket: request.raw.socket, response: reply.raw }, () => {
      abandoned += 1
    })
    done()
  })
  app.get('/', (_request, reply) => {
    const endless = new Readable({ read: () => {} })
    endless.push('first')
    return reply.send(endless)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const idle = connect(port, '127.0.0.1')
  await once(idle, 'connect')
  const request = get({ host: '127.0.0.1', port, path: '/' })
  const [answer] = await once(request, 'response')
  await once(answer, 'data')
  answer.once('error', () => {})
  request.destroy()
  await app.close()
  expect(abandoned).toBe(1)
})
