import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { openNotesWorld } from './notes-world.ts'

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
