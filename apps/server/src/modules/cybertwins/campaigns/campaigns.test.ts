import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addEstate, told } from '../testing/twin-world.ts'
import { caseStudies } from './case-studies.ts'

/** Long enough for a busy machine; a test that passes does not wait for it. */
const patience = { timeout: 60_000, interval: 50 }

let world: World
let tenant: TestTenant
let ids: Awaited<ReturnType<typeof addEstate>>
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('twin-campaigns')
  ids = await addEstate(tenant)
})
afterAll(() => world?.close())

const post = (body: object) => tenant.admin.post('/cybertwins/campaigns', body)
const see = async (id: string, query = {}) =>
  expectStatus(await tenant.admin.get(`/cybertwins/campaigns/${id}`, { query }), 200).body.data
async function completed(body: object) {
  const { id } = expectStatus(await post({ seed: '42', ...body }), 201).body.data
  await expect.poll(async () => (await see(id)).status, patience).toBe('completed')
  return see(id)
}

test('own steps: the chance, the time and the detection of the closed form', async () => {
  const detection = [0.1, 0.2, 0.05]
  const steps = [
    { mean_hours: 4, probability: 0.5 },
    { mean_hours: 8, probability: 0.25 },
    { mean_hours: 2, probability: 0.8 },
  ].map((step, i) => ({ ...step, detected_on_failure: detection[i] }))
  const defender = { response_hours: 0 }
  const { result } = await completed({ steps, runs: 40_000, horizon_hours: 87_600, defender })
  expect(Math.abs(result.p_goal - 0.5611672)).toBeLessThan(0.01)
  expect(result.steps).toHaveLength(3)
})

test('a case study of ATLAS uses the probabilities of the graph where its techniques occur', async () => {
  expect([caseStudies.size, [...caseStudies.values()].reduce((n, { steps }) => n + steps.length, 0)]).toEqual([57, 449])
  const study = [...caseStudies.values()].find(({ steps }) =>
    steps.some(({ technique }) => technique === 'AML.T0051.001'),
  )
  const done = await completed({ template: 'case_study', reference: study?.id, runs: 1_000 })
  expect(done.name).toBe(study?.name)
  const [chain] = done.inputs.chains
  expect(chain.steps).toHaveLength(study?.steps.length ?? 0)
  const step = chain.steps.find(({ technique }: { technique: string }) => technique === 'AML.T0051.001')
  expect(step).toMatchObject({ basis: 'graph', probability: 0.4 })
  expect(done.result.coverage.techniques).toBeGreaterThan(0)
})

test('without steps it follows the graph to the goal, by the attacker’s strategy', async () => {
  const most = await completed({ goal_id: ids.D, runs: 1_000 })
  expect(most.inputs.chains).toHaveLength(1)
  expect(most.inputs.chains[0].steps).toHaveLength(4)
  const weighted = await completed({ strategy: 'weighted', runs: 1_000 })
  expect(weighted.inputs.chains.map(({ weight }: { weight: number }) => Number(weight.toFixed(4)))).toEqual([
    0.3078, 0.12, 0.08, 0.0684,
  ])
  expect((await see(most.id, { include: 'ttc' })).result.steps).toBeUndefined()
  expect(told(await post({ cancel: most.id }))).toEqual([409, 'TWIN-012', undefined])
})

test('techniques of a group come from the threat library, in the order of tactics', async () => {
  const content = JSON.stringify([
    { external_id: 'T9001', type: 'attack-pattern', name: 'Late', tactics: ['impact'], groups: ['G9000'] },
    { external_id: 'T9002', type: 'attack-pattern', name: 'Early', tactics: ['initial-access'], groups: ['G9000'] },
  ])
  expectStatus(await tenant.admin.post('/risk/threats/import', { format: 'custom', content }), 201)
  const done = await completed({ template: 'attack_campaign', reference: 'G9000', runs: 100 })
  expect(done.inputs.chains[0].steps.map(({ name }: { name: string }) => name)).toEqual(['Early', 'Late'])
})

const nobody = '00000000-0000-4000-8000-000000000001'
test.each([
  [{ template: 'case_study', reference: 'AML.CS9999' }, [422, 'TWIN-006', '/reference']],
  [{ template: 'attack_campaign', reference: 'G0000' }, [422, 'TWIN-006', '/reference']],
  [{ template: 'case_study', reference: 'AML.CS0000', steps: [{}] }, [422, 'TWIN-008', '/steps']],
  [{ goal_id: nobody }, [422, 'TWIN-006', '/goal_id']],
  [{ graph_id: nobody, steps: [{}] }, [422, 'TWIN-006', '/graph_id']],
  [{ steps: Array(200).fill({}), runs: 1_000_000 }, [422, 'TWIN-009', '/runs']],
  [{ cancel: nobody }, [422, 'TWIN-006', '/cancel']],
  [{ runs: 99 }, [400, 'API-001', '/runs']],
])('%j is refused with its place', async (body, expected) => {
  expect(told(await post(body))).toEqual(expected)
})
