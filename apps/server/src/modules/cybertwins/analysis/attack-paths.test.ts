import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { twinSignals } from '../signals.ts'
import { addEstate, told } from '../testing/twin-world.ts'
import { analysisJob } from './create.ts'
import { failAnalysisWithJob } from './run.ts'

/** Long enough for a busy machine; a test that passes does not wait for it. */
const patience = { timeout: 60_000, interval: 50 }

let world: World
let tenant: TestTenant
let ids: Awaited<ReturnType<typeof addEstate>>
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('twin-paths')
  ids = await addEstate(tenant)
})
afterAll(() => world?.close())

const post = (body: object) => tenant.admin.post('/cybertwins/attack-paths', body)
const see = async (id: string, query = {}) =>
  expectStatus(await tenant.admin.get(`/cybertwins/attack-paths/${id}`, { query }), 200).body.data
const events = (channel: string) =>
  world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) =>
    tx.query(sql<{ data: Record<string, unknown> }>`
        select data from outbox where channel = ${channel} union all
        select data from event_log where channel = ${channel}`),
  )

describe('an analysis', () => {
  test('of a small graph is complete at once: exact reach, paths, cut and the two changes', async () => {
    const done = expectStatus(await post({ seed: '42' }), 201).body.data
    expect(done).toMatchObject({ status: 'completed', scope: 'crown_jewels', seed: '42' })
    const { reach, paths, cuts, two_changes: two } = done.result
    expect(reach[0]).toMatchObject({ method: 'exact', target: { id: ids.D } })
    expect(reach[0].probability).toBeCloseTo(0.445987016, 9)
    expect(paths.map(({ probability }: { probability: number }) => Number(probability.toFixed(4)))).toEqual([
      0.3078, 0.12, 0.08, 0.0684,
    ])
    expect(cuts[0].cost).toBe(2)
    expect(two.changes).toHaveLength(2)
    expect(await see(done.id)).toEqual(done)
    expect((await see(done.id, { include: 'cut' })).result.paths).toBeUndefined()
  })

  test('moves the trust signal and the fact', async () => {
    const { signals } = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => twinSignals(tx))
    expect(signals[0]).toMatchObject({ id: 'attack_reachability', n: 1 })
    expect(signals[0]?.value).toBeCloseTo(55.4012984, 5)
    // The analysis that the estate's import asks for may finish between the two.
    const read = async () => {
      const { id } = await see('latest')
      const fact = await readFact(world, tenant.id, 'cybertwins.reachability')
      const analysis = fact.analysis as { readonly id: string; readonly two_changes: readonly unknown[] }
      return { isLatest: analysis.id === id, changes: analysis.two_changes.length }
    }
    await expect.poll(read, patience).toEqual({ isLatest: true, changes: 2 })
    const { crown_jewels: jewels } = await readFact(world, tenant.id, 'cybertwins.assets')
    expect(jewels).toEqual([expect.objectContaining({ id: ids.D })])
  })

  test('follows a changed relation by itself, with the event of the new path', async () => {
    const before = await see('latest')
    const direct = { kind: 'network_reach', target: ids.D, p_override: 0.5, reason: 'Opened' }
    const body = {
      assets: [
        { kind: 'external', name: 'Asset I', external_ids: [{ source: 'estate', id: 'I' }], relationships: [direct] },
      ],
    }
    expectStatus(await tenant.admin.post('/cybertwins/assets', body), 201)
    await expect.poll(async () => (await see('latest')).result.reach[0].probability, patience).toBeGreaterThan(0.7)
    const after = await see('latest')
    expect(after.id).not.toBe(before.id)
    expect(after.created_by).toBeNull()
    const diff = expectStatus(
      await tenant.admin.get(`/cybertwins/graphs/${after.graph_id}`, { query: { diff_against: before.graph_id } }),
      200,
    ).body.data.diff
    expect(diff.counts).toMatchObject({ edges_added: 1, edges_removed: 0, nodes_added: 0 })
    const found = (await events('cybertwins.path.discovered')).filter(({ data }) => data.analysis_id === after.id)
    expect(found.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ probability: 0.5, new_relation_ids: [expect.any(String)] }),
    )
    const done = await events('cybertwins.analysis.completed')
    expect(done.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ analysis_id: after.id, worst_target: expect.objectContaining({ id: ids.D }) }),
    )
  })

  test('with many paths is done by a job, gives the same result again, and ends when it is cancelled', async () => {
    const body = { k: 1000, worlds: 20_000, seed: '7' }
    const queued = expectStatus(await post(body), 201).body.data
    expect(queued.status).toBe('queued')
    await expect.poll(async () => (await see(queued.id)).status, patience).toBe('completed')
    const again = expectStatus(await post({ ...body, graph_id: queued.graph_id }), 201).body.data
    await expect.poll(async () => (await see(again.id)).status, patience).toBe('completed')
    expect((await see(again.id)).result).toEqual((await see(queued.id)).result)
    expect(told(await post({ cancel: queued.id }))).toEqual([409, 'TWIN-012', undefined])
    const unfinished = expectStatus(await post(body), 201).body.data
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update cybertwins_analysis set status = 'queued', result = null where id = ${unfinished.id}`),
    )
    expect(expectStatus(await post({ cancel: unfinished.id }), 200).body.data.status).toBe('cancelled')
  })

  test('whose job failed for the last time has failed', async () => {
    const { id } = expectStatus(await post({}), 201).body.data
    await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
      await tx.execute(sql`update cybertwins_analysis set status = 'running', result = null where id = ${id}`)
      const job = { id, kind: analysisJob, payload: { analysis_id: id }, attempts: 3, errorClass: 'Error' }
      await failAnalysisWithJob(world.kernel)(tx, job)
    })
    expect(await see(id)).toMatchObject({ status: 'failed', failure: expect.any(String) })
  })

  const nobody = '00000000-0000-4000-8000-000000000001'
  test.each([
    [{ graph_id: nobody }, [422, 'TWIN-006', '/graph_id']],
    [{ source_ids: [nobody] }, [422, 'TWIN-006', '/source_ids/0']],
    [{ target_ids: [nobody] }, [422, 'TWIN-006', '/target_ids/0']],
    [{ blast_radius_of: nobody }, [422, 'TWIN-006', '/blast_radius_of']],
    [{ what_if: [{ op: 'guardrail' }] }, [422, 'TWIN-008', '/what_if/0/asset_id']],
    [{ cancel: nobody }, [422, 'TWIN-006', '/cancel']],
    [{ k: 1001 }, [400, 'API-001', '/k']],
  ])('%j is refused with its place', async (body, expected) => {
    expect(told(await post(body))).toEqual(expected)
  })

  test('of a twin without entry points or crown jewels is refused', async () => {
    const empty = await world.tenant('twin-empty')
    const asked = () => empty.admin.post('/cybertwins/attack-paths', {})
    expect(told(await asked())[1]).toBe('TWIN-008')
    const assets = [{ kind: 'external', name: 'Outside', entry_point: true }]
    expectStatus(await empty.admin.post('/cybertwins/assets', { assets }), 201)
    const refused = await asked()
    expect([told(refused)[1], refused.body.detail]).toEqual(['TWIN-008', expect.stringContaining('crown jewel')])
  })
})

describe('the graph', () => {
  test('is seen whole, around an asset and by kind, and not beyond what the answer holds', async () => {
    const get = (query = {}) => tenant.admin.get('/cybertwins/graphs/current', { query })
    const whole = expectStatus(await get(), 200).body.data
    expect(whole.stats).toMatchObject({ nodes: 8, entry_points: 1, crown_jewels: 1 })
    expect(whole.edges.find(({ from }: { from: string }) => from === ids.C)).toMatchObject({
      ...{ probability: 0.4, basis: 'override', technique: 'AML.T0051.001' },
    })
    expect(expectStatus(await get({ root: ids.A, hops: 1 }), 200).body.data.nodes).toHaveLength(4)
    expect(expectStatus(await get({ kinds: 'host,agent' }), 200).body.data.nodes).toHaveLength(3)
    expect(told(await get({ max_nodes: 3 }))[1]).toBe('TWIN-007')
    expect(told(await get({ root: '00000000-0000-4000-8000-000000000001' }))).toEqual([404, 'API-013', undefined])
  })

  test('goes out as STIX and comes in again as it was', async () => {
    const taken = expectStatus(await tenant.admin.post('/cybertwins/graphs', { label: 'Before' }), 201).body.data
    const file = await tenant.admin.get(`/cybertwins/graphs/${taken.id}`, { query: { format: 'stix' } })
    const other = await world.tenant('twin-stix')
    const content = JSON.stringify(file.body)
    const imported = expectStatus(await other.admin.post('/cybertwins/imports', { format: 'stix', content }), 201)
    expect(imported.body.data).toMatchObject({ created: 8, edges: taken.stats.edges, skipped: [] })
    const graph = expectStatus(await other.admin.get('/cybertwins/graphs/current'), 200).body.data
    expect(graph.stats.by_kind).toEqual(expect.arrayContaining(taken.stats.by_kind))
  })
})
