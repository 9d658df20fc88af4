import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UploadBody } from '../../../../test/support/upload-body.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

const data = '../shared/data/openlineage'
let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('lineage')
})
afterAll(() => world?.close())

const runId = (n: number) => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`
const columns = (from: string, field: string, over: object = {}) => ({
  columnLineage: {
    fields: {
      [field]: { inputFields: [{ namespace: 'w', name: from, field, transformations: [{ type: 'DIRECT', ...over }] }] },
    },
  },
})
const event = (run: number, at: string, over: object = {}) => ({
  ...{ eventType: 'COMPLETE', eventTime: at, producer: 'https://e.example/p' },
  ...{ schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json', run: { runId: runId(run) } },
  ...{ job: { namespace: 'etl', name: 'copy' }, inputs: [{ namespace: 'w', name: 'a' }] },
  outputs: [{ namespace: 'w', name: 'b', facets: columns('a', 'email') }],
  ...over,
})
const send = (body: unknown, { admin } = tenant) => admin.post('/data-gov/lineage', body)
const graph = async (query: Record<string, string>, { admin } = tenant) =>
  expectStatus(await admin.get('/data-gov/lineage/graph', { query }), 200).body.data
const names = (answer: { nodes: { name: string; field: string | null }[] }) =>
  answer.nodes.map(({ name, field }) => (field === null ? name : `${name}.${field}`)).sort()

describe('lineage events', () => {
  test('count once, however often they come', async () => {
    const first = expectStatus(await send(event(1, '2026-01-01T00:00:00Z')), 201).body.data
    const again = expectStatus(await send(event(1, '2026-01-01T00:00:00Z')), 201).body.data
    expect(first).toMatchObject({ duplicate: false, warnings: [] })
    expect(again).toEqual({ event_id: first.event_id, duplicate: true, warnings: [] })
    expect(names(await graph({ node: 'w|a' }))).toEqual(['a', 'b'])
    expect(names(await graph({ node: 'w|a|email' }))).toEqual(['a.email', 'b.email'])
  })

  test('of the newest complete run make the flows, in whatever order they come', async () => {
    const outputs = [{ namespace: 'w', name: 'c' }]
    expectStatus(await send(event(3, '2026-01-03T00:00:00Z', { outputs })), 201)
    expectStatus(await send(event(2, '2026-01-02T00:00:00Z')), 201)
    expectStatus(await send(event(4, '2026-01-04T00:00:00Z', { eventType: 'FAIL', outputs: [] })), 201)
    expect(names(await graph({ node: 'w|a' }))).toEqual(['a', 'c'])
    expect(names(await graph({ node: 'w|a', as_of: '2026-01-01T12:00:00Z' }))).toEqual(['a', 'b'])
    const late = event(3, '2026-01-02T23:00:00Z', {
      eventType: 'START',
      inputs: [{ namespace: 'w', name: 'early' }],
      outputs: [],
    })
    expectStatus(await send(late), 201)
    expect(names(await graph({ node: 'w|early' }))).toEqual(['c', 'early'])
  })

  test('come in lists, packed or not; every valid one counts', async () => {
    const job = { namespace: 'etl', name: 'listed' }
    const good = event(5, '2026-02-01T00:00:00Z', { job, outputs: [{ namespace: 'w', name: 'listed' }] })
    const bad = { ...good, eventTime: '2026-02-01T00:00:00' }
    const answer = expectStatus(await send([good, bad]), 200).body.data
    expect(answer.summary).toMatchObject({ received: 2, successful: 1, failed: 1, non_retriable: 1 })
    expect(answer.failed_events[0]).toMatchObject({ index: 1, retriable: false })
    const body = UploadBody.stream('application/json', gzipSync(JSON.stringify(good)))
    const packed = await tenant.admin.post('/data-gov/lineage', body, { headers: { 'content-encoding': 'gzip' } })
    expect(expectStatus(packed, 201).body.data.duplicate).toBe(true)
    const refused = await send([bad])
    expect([refused.status, refused.body.error_code, refused.body.errors[0].pointer]).toEqual([
      422,
      'DGOV-007',
      '/0/eventTime',
    ])
  })

  test.each([
    ['event_no_timezone.json', '/eventTime'],
    ['event_without_schema_url.json', '/schemaURL'],
  ])('of the reference that are bad are refused: %s', async (file, pointer) => {
    if (!existsSync(data)) return
    const answer = await send(JSON.parse(readFileSync(`${data}/bad/${file}`, 'utf8')))
    expect([answer.status, answer.body.error_code]).toEqual([422, 'DGOV-006'])
    expect(answer.body.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer)
  })

  test('of the reference are all taken, twice and in another order with the same graph', async () => {
    if (!existsSync(data)) return
    const events = readdirSync(data)
      .filter((file) => file.endsWith('.jsonl'))
      .flatMap((file) => readFileSync(`${data}/${file}`, 'utf8').split('\n').filter(Boolean))
      .map((line) => JSON.parse(line))
    const [one, other] = [await world.tenant('lineage-one'), await world.tenant('lineage-other')]
    const sent = expectStatus(await send(events, one), 200).body.data.summary
    expect(sent).toMatchObject({ received: 283, successful: 283, failed: 0 })
    const again = expectStatus(await send(events, one), 200).body.data.summary
    expect(again.duplicates).toBe(283)
    expectStatus(await send(events.toReversed(), other), 200)
    const edges = ({ id }: TestTenant) =>
      world.kernel.db.read(
        id as never,
        sql<{ edge: string }>`
          select a.key || ' ' || b.key || ' ' || e.level || ' ' || coalesce(e.subtype, '') || e.masking as edge
          from data_gov_edge e join data_gov_node a on a.id = e.from_id join data_gov_node b on b.id = e.to_id
          where e.valid_to is null order by 1`,
      )
    const [first, second] = [await edges(one), await edges(other)]
    expect(first.length).toBeGreaterThan(100)
    expect(second).toEqual(first)
    const [counted] = await world.kernel.db.read(
      one.id as never,
      sql<{ jobs: number; datasets: number }>`
        select count(*) filter (where kind = 'job')::int as jobs, count(*) filter (where kind = 'dataset')::int as datasets
        from data_gov_node`,
    )
    expect(counted?.jobs).toBe(139)
    expect(counted?.datasets).toBeGreaterThanOrEqual(92)
  })
})

describe('the lineage graph', () => {
  test('has the same depth in both directions, counts what it cuts, and knows the ways', async () => {
    const step = (n: number) =>
      event(100 + n, '2026-03-01T00:00:00Z', {
        ...{ job: { namespace: 'etl', name: `step-${n}` }, inputs: [{ namespace: 'p', name: `t${n}` }] },
        outputs: [
          { namespace: 'p', name: `t${n + 1}` },
          { namespace: 'p', name: `side${n}` },
        ],
      })
    expectStatus(await send([0, 1, 2].map(step)), 200)
    const down = await graph({ node: 'p|t0' })
    expect(down.counts_by_depth.downstream).toEqual([1, 2, 2, 2])
    const up = await graph({ node: 'p|t3', direction: 'upstream' })
    expect(up.nodes.find(({ name }: { name: string }) => name === 't0').depth).toBe(-3)
    const cut = await graph({ node: 'p|t0', max_nodes: '2' })
    expect([cut.nodes.length, cut.truncated, cut.counts_by_depth.downstream]).toEqual([2, true, [1, 2, 2, 2]])
    const ways = await graph({ node: 'p|t0', mode: 'paths', to: 'p|t3' })
    expect(ways.paths.map((path: string[]) => path.length)).toEqual([4])
    const job = await graph({ node: 'etl|step-0', granularity: 'job' })
    expect(names(job)).toContain('t3')
    expect((await graph({ node: 'p|t0', mode: 'impact' })).impact.by_kind.dataset).toBe(6)
  })

  test('carries labels along columns until a mask, and says where they come from', async () => {
    const outputs = [
      { namespace: 'w', name: 'plain', facets: columns('people', 'email') },
      { namespace: 'w', name: 'hidden', facets: columns('people', 'email', { masking: true }) },
    ]
    const job = { namespace: 'etl', name: 'labels' }
    expectStatus(
      await send(event(50, '2026-03-02T00:00:00Z', { job, inputs: [{ namespace: 'w', name: 'people' }], outputs })),
      201,
    )
    const scan = {
      source: {
        kind: 'inline',
        namespace: 'w',
        name: 'people',
        columns: [{ name: 'email', values: Array.from({ length: 50 }, (_, n) => `p${n}@mail.example`) }],
      },
    }
    expectStatus(await tenant.admin.post('/data-gov/classification/scans', scan), 201)
    const { nodes } = await graph({ node: 'w|people|email' })
    const of = (name: string) => nodes.find((node: { name: string }) => node.name === name)
    expect(of('plain')).toMatchObject({ level: 'confidential', categories: ['email'], inherited_from: of('people').id })
    expect(of('hidden')).toMatchObject({ level: null, categories: [] })
  })

  test('does not know nodes that are not there, nor those of another tenant', async () => {
    const other = await world.tenant('lineage-stranger')
    for (const node of ['w|nothing', 'x', (await graph({ node: 'w|a' })).node])
      expect((await other.admin.get('/data-gov/lineage/graph', { query: { node } })).status).toBe(404)
  })
})
