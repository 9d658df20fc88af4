import { expect, test } from 'vitest'
import { apiErrors } from '../../errors/errors.ts'
import { until } from '../../testing/event-world.ts'
import { connect, emit, gate, signedIn, useStream, world } from '../../testing/stream-world.ts'

useStream()

/** As the maintenance mode does it: for everybody but one network. */
const close = (but?: string): void => {
  gate.refuse = ({ ip, method, path }) =>
    ip === but || method !== 'GET' || path !== '/ws' ? null : apiErrors.unavailable({ what: 'Back soon.' })
}

test('a closed gate refuses new connections with what it says, and lets them in again', async () => {
  close()
  await expect(connect()).rejects.toThrow('503')
  gate.refuse = () => null
  await signedIn('ann')
})

test('a gate that closes ends open connections within a second, with the code and the reason to come back later', async () => {
  const client = await signedIn('ann', { channels: ['gateway.request.completed'] })
  close()
  world.clock.advance(1_000)
  expect(await client.told('error')).toMatchObject({ error_code: 'API-009', fatal: true })
  await until(() => client.closed !== null)
  expect(client.closed).toEqual({ code: 1013, reason: 'API-009' })
})

test('who the gate lets pass stays and goes on reading', async () => {
  const client = await signedIn('ann', { channels: ['gateway.request.completed'] })
  close('127.0.0.1')
  world.clock.advance(1_000)
  await emit([1])
  await until(() => client.events.length === 1)
  expect(client.closed).toBeNull()
})
