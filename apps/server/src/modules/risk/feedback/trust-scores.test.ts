import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addRisk } from '../testing/risk-world.ts'
import { trustScores } from './threat-events.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('risk-trust-kri')
})
afterAll(() => world?.close())

test('an indicator that reads a pillar follows the trust score, and takes no typed value', async () => {
  const kri = { name: 'Security', source: 'trust_pillar', pillar: 'security', amber: 70, red: 40, direction: 'below' }
  const { id } = await addRisk(tenant, { kris: [kri] })
  const { kernel } = world
  const event = {
    ...{ position: 1, id: kernel.random.uuid(), tenantId: tenant.id, channel: 'trust.score.updated', sequence: 1 },
    ...{ type: 'x', subject: 'x', time: kernel.clock.iso(), traceparent: null, causationDepth: 0 },
    data: { pillars: { security: 55.5 } },
  }
  const services = { kernel, iam: { knownPrincipals: () => Promise.resolve(new Set<string>()) } }
  await kernel.db.tenant({ tenantId: tenant.id }, (tx) => trustScores.handle({ tx, events: [event], services, kernel }))
  const { kris } = expectStatus(await tenant.admin.get(`/risk/register/${id}`), 200).body.data
  expect(kris[0]).toMatchObject({ value: 55.5, status: 'amber', observed_at: event.time })
})
