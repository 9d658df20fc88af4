import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { openNotesWorld } from './notes-world.ts'
import { answersIn, request } from './raw-http.ts'

test('a connection that never sent anything does not keep the server from closing', async () => {
  const world = await openNotesWorld()
  const { app } = world.program
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket, 'close')
  await world.close()
  await ended
  expect(app.server.listening).toBe(false)
})

test('a call that comes over an open connection while others finish is told to come again elsewhere', async () => {
  const world = await openNotesWorld()
  const { app } = world.program
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const { token } = await world.person(await world.tenant())
  let letGo: () => void = () => {}
  world.probe.gate = new Promise((resolve) => {
    letGo = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    world.probe.arrived = resolve
  })
  const socket = connect(Number(address.port), '127.0.0.1')
  const heard: Buffer[] = []
  socket.on('data', (data) => heard.push(data))
  const text = JSON.stringify({ text: 'held' })
  const headers = { authorization: `Bearer ${token}`, connection: 'keep-alive', 'content-type': 'application/json' }
  const path = '/api/v1/resilience/held'
  socket.write(`${request('POST', path, { ...headers, 'content-length': String(text.length) })}${text}`)
  await arrived
  const stopping = world.close()
  socket.write(request('GET', '/api/v1/resilience/anyone', headers))
  await expect.poll(() => world.kernel.stopping.begun).toBe(true)
  letGo()
  await Promise.all([stopping, once(socket, 'close')])
  const [running, late] = answersIn(Buffer.concat(heard).toString())
  expect(running?.status).toBe(201)
  expect(late).toMatchObject({ status: 503, headers: { connection: 'close', 'retry-after': '1' } })
  expect(JSON.parse(late?.body ?? '')).toMatchObject({ error_code: 'API-009' })
})
