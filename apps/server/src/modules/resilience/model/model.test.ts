import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { ServiceBody } from '../declared/model-schema.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('resilience-model')
})
afterAll(() => world?.close())

const steps = (value: number): NonNullable<ServiceBody['recovery_steps']> => [
  { step: 'restore', distribution: { type: 'constant', value } },
]
const service = (key: string, more: Partial<ServiceBody> = {}): ServiceBody => ({
  ...{ key, name: `Service ${key}`, kind: 'application', criticality: 4 },
  ...more,
})
const patch = (body: object, options = {}) => tenant.admin.patch('/resilience/model', body, options)
const list = async (query = '') => expectStatus(await tenant.admin.get(`/resilience/rto-rpo${query}`), 200).body.data
const told = ({ status, body }: { status: number; body: { error_code: string; errors: { pointer?: string }[] } }) => [
  status,
  body.error_code,
  body.errors[0]?.pointer,
]

async function signals() {
  const at = world.kernel.clock.iso()
  const reports = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => world.kernel.trustReports(tx, at))
  const { report } = reports.find(({ module }) => module === 'resilience') ?? { report: { signals: [], caps: [] } }
  return {
    caps: report.caps,
    of: new Map(report.signals.map(({ id, good, value, n }) => [id, { good, value, n }])),
  }
}

const nothing = { good: null, value: null, n: null }

test('a new tenant has the platform as its model, and the library of scenarios', async () => {
  const keys = (await list()).map(({ key }: { key: string }) => key)
  expect(keys).toEqual(expect.arrayContaining(['database', 'gateway']))
  const [gateway] = await list('?service=gateway&include=model')
  expect(gateway.model.dependencies).toContainEqual({ target: 'database', type: 'hard' })
  expect(gateway).toMatchObject({ verdict: 'no_objective', single_points: ['database'] })
  const library = expectStatus(await tenant.admin.get('/resilience/scenarios?tag=builtin'), 200).body
  expect(library.meta.pagination.total_count).toBeGreaterThan(12)
  const { of, caps } = await signals()
  expect(of.get('rto_attainment')).toEqual(nothing)
  expect(of.get('single_points')).toEqual({ good: 0, value: null, n: 1 })
  expect(caps).toEqual([{ id: 'objective_breached_open', active: false }])
})

test('a change is judged, and a dry run changes nothing', async () => {
  const web = service('web', {
    dependencies: [{ target: 'store', type: 'hard' }],
    recovery_steps: steps(10),
    failure: { type: 'exponential', mean: 1000 },
    objectives: { rto_minutes: 60, mtpd_minutes: 120, availability: 0.9999 },
  })
  const store = service('store', {
    recovery_steps: steps(90),
    failure: { type: 'exponential', mean: 1000 },
    data: { interval_minutes: 60, lag_minutes: 5, restore_success: 1 },
    objectives: { rpo_minutes: 65, rto_minutes: 100 },
  })
  const body = { mode: 'merge', services: [web, store] }
  const dry = expectStatus(await patch({ ...body, dry_run: true }), 200).body.data
  expect(dry).toMatchObject({ dry_run: true, diff: { added: ['web', 'store'], changed: [], removed: [] } })
  expect(await list('?service=web')).toEqual([])
  const made = expectStatus(await patch(body), 200)
  expect(made.body.data.single_points).toContainEqual({ service: 'web', caused_by: ['store'] })
  const [row] = await list('?service=web&include=cut_sets,importance')
  expect(row).toMatchObject({
    rto: { objective_minutes: 60, verdict: 'not_met', decided_by: 'declared', predicted: { p_within: 0.5 } },
    availability: { verdict: 'not_met', method: 'exact' },
    ...{ verdict: 'not_met', breached: ['rto', 'availability'], single_point: true },
  })
  expect(row.cut_sets).toEqual(expect.arrayContaining([['web'], ['store']]))
  const [kept] = await list('?service=store')
  expect(kept).toMatchObject({ rpo: { verdict: 'met', predicted: { p95: 62 } }, rto: { verdict: 'met' } })
})

test('objectives count for the trust score, and an open breach caps it', async () => {
  const { of, caps } = await signals()
  expect(of.get('rto_attainment')).toEqual({ good: null, value: 75, n: 2 })
  expect(of.get('rpo_attainment')).toEqual({ good: null, value: 100, n: 1 })
  expect(of.get('experiment_score')).toEqual(nothing)
  expect(caps).toEqual([{ id: 'objective_breached_open', active: true }])
  const fact = await readFact(world, tenant.id, 'resilience.objectives')
  expect(fact.services).toContainEqual({
    ...{ service: 'web', criticality: 4, rto_minutes: 60, rpo_minutes: null, rpo_p95_minutes: null },
    ...{ rto_p95_minutes: expect.any(Number), verdict: 'not_met', single_point: true },
  })
})

test('a quicker recovery closes the breach, in a new version', async () => {
  const [store] = await list('?service=store&include=model')
  const answer = await patch({ mode: 'merge', services: [{ ...store.model, recovery_steps: steps(30) }] })
  const { data } = expectStatus(answer, 200).body
  expect(data.diff).toEqual({ added: [], changed: ['store'], removed: [] })
  const [row] = await list('?service=web')
  expect(row).toMatchObject({ rto: { verdict: 'met' }, breached: ['availability'], model_version: data.model_version })
  expect((await signals()).caps).toEqual([{ id: 'objective_breached_open', active: false }])
})

test('a model with a fault is refused with its place, and stores nothing', async () => {
  const cycle = [
    service('a', { dependencies: [{ target: 'b', type: 'hard' }] }),
    service('b', { dependencies: [{ target: 'a', type: 'hard' }] }),
  ]
  const refused = await patch({ mode: 'merge', services: cycle })
  expect(told(refused)[1]).toBe('RES-001')
  expect(refused.body.detail).toBe('Hard dependencies form a cycle: a → b → a.')
  const late = service('a', { objectives: { rto_minutes: 60, mtpd_minutes: 30 } })
  expect(told(await patch({ mode: 'replace', services: [late] }))).toEqual([
    ...[422, 'RES-002', '/services/0/objectives/rto_minutes'],
  ])
  expect(told(await patch({ mode: 'merge', remove: ['nothing'] }))).toEqual([422, 'RES-001', '/remove/0'])
  const stale = await patch({ mode: 'merge', services: [] }, { headers: { 'if-match': '"1-x"' } })
  expect([stale.status, stale.body.error_code]).toEqual([412, 'API-012'])
  expect(await list('?service=a')).toEqual([])
})

test('services are removed with their breaches', async () => {
  const { data } = expectStatus(await patch({ mode: 'merge', remove: ['web'] }), 200).body
  expect(data.diff.removed).toEqual(['web'])
  expect(await list('?service=web')).toEqual([])
})
