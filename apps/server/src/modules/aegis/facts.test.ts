import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../test/support/facts.ts'
import { expectStatus, openWorld, type World } from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('kill switches are in force from their activation to their end', async () => {
  const tenant = await world.tenant('aegis-facts')
  const other = await world.tenant('aegis-facts-other')
  const inForce = (id = tenant.id) => readFact(world, id, 'aegis.kill_switches')
  const path = '/gateway/kill-switches'
  expect(await inForce()).toEqual({ kill_switches: [] })
  const body = { scope: 'model', value: 'echo-1', reason: 'The model is out of use' }
  const made = expectStatus(await tenant.admin.post(path, body), 201).body.data
  expect(await inForce()).toEqual({
    kill_switches: [
      {
        ...{ id: made.id, scope: 'model', value: 'echo-1', level: made.level, source: 'gateway' },
        ...{ reason: body.reason, activated_at: made.activated_at, expires_at: null },
      },
    ],
  })
  expect(await inForce(other.id)).toEqual({ kill_switches: [] })
  expectStatus(await tenant.admin.post(`${path}/${made.id}/deactivate`, { reason: 'The model works again' }), 200)
  expect(await inForce()).toEqual({ kill_switches: [] })
})
