/** Lists of data governance: the newest first, found by their beginning, with tags; and labels that follow lineage. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('data-lists')
})
afterAll(() => world?.close())

const get = async (path: string, query: Record<string, string> = {}) =>
  expectStatus(await tenant.admin.get(`/data-gov/${path}`, { query }), 200).body.data
const post = async (path: string, body: object) =>
  expectStatus(await tenant.admin.post(`/data-gov/${path}`, body), 201).body.data
const scan = (name: string, columns: object[]) =>
  post('classification/scans', { source: { kind: 'inline', namespace: 'w', name, columns } })
const emails = (name = 'email') => ({
  name,
  values: Array.from({ length: 50 }, (_, n) => `person${n}@mail.example`),
})
const fields = (rows: { field: string | null }[]) => rows.map(({ field }) => field)

describe('a list', () => {
  test('of assets is newest first, found by the beginning of a name, and each row has its tag', async () => {
    await scan('first', [emails('early')])
    await scan('second', [emails('later')])
    const columns = await get('classification/assets', { kind: 'column' })
    expect(fields(columns)).toEqual(['later', 'early'])
    expect(fields(await get('classification/assets', { q: 'LAT', kind: 'column' }))).toEqual(['later'])
    expect(fields(await get('classification/assets', { q: 'atere', kind: 'column' }))).toEqual([])
    const [{ id, etag }] = columns
    const path = `/data-gov/classification/assets/${id}`
    const patch = (tag: string) => tenant.admin.patch(path, { purposes: ['support'] }, { headers: { 'if-match': tag } })
    const changed = expectStatus(await patch(etag), 200)
    expect(changed.headers.etag).not.toBe(etag)
    const stale = await patch(etag)
    expect([stale.status, stale.body.error_code]).toEqual([412, 'API-012'])
    const [row] = await get('classification/assets', { q: 'later', kind: 'column' })
    expectStatus(await patch(row.etag), 200)
    expect((await patch(row.etag)).status).toBe(412)
  })

  test('of consents, policies and requests is newest first and found by its beginning', async () => {
    for (const purpose of ['alpha', 'beta'])
      await post('consents', {
        kind: 'event',
        event: {
          ...{ subject: { aliases: [{ kind: 'email', value: `${purpose}@people.example` }] }, event: 'given' },
          ...{ purposes: [purpose], basis: 'contract', method: 'contract' },
        },
      })
    expect((await get('consents')).map(({ purpose }: { purpose: string }) => purpose)).toEqual(['beta', 'alpha'])
    expect(await get('consents', { q: 'alp' })).toMatchObject([{ purpose: 'alpha' }])
    for (const name of ['Alpha', 'Beta'])
      await post('retention-policies', {
        ...{ kind: 'schedule', name, categories: ['lineage'], maximum: 'P500D', ground: 'Test' },
      })
    expect((await get('retention-policies')).map(({ name }: { name: string }) => name)).toEqual(['Beta', 'Alpha'])
    expect(await get('retention-policies', { q: 'al' })).toMatchObject([{ name: 'Alpha' }])
    for (const reason of ['Alpha asks', 'Beta asks'])
      await post('retention-runs', {
        ...{ kind: 'subject_request', request_type: 'access', reason },
        subject: { aliases: [{ kind: 'email', value: 'asking@people.example' }] },
      })
    const runs = await get('retention-runs', { subject: 'Asking@people.example' })
    expect(runs.map(({ reason }: { reason: string }) => reason)).toEqual(['Beta asks', 'Alpha asks'])
    expect(await get('retention-runs', { q: 'alpha' })).toMatchObject([{ reason: 'Alpha asks' }])
  })
})

describe('labels', () => {
  let run = 0
  /** A complete run of a job that copies a column. */
  const copy = async (job: string, from: string, to: string, over: object = {}) => {
    run += 1
    const transformations = [{ type: 'DIRECT', subtype: 'IDENTITY', ...over }]
    const inputFields = [{ namespace: 'w', name: from, field: 'email', transformations }]
    const facets = { columnLineage: { fields: { email: { inputFields } } } }
    const event = {
      ...{ eventType: 'COMPLETE', eventTime: new Date(Date.UTC(2026, 0, 1, 0, run)).toISOString() },
      ...{ producer: 'https://e.example/p', schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json' },
      ...{ run: { runId: `33333333-3333-4333-8333-${String(run).padStart(12, '0')}` } },
      ...{ job: { namespace: 'etl', name: job }, inputs: [{ namespace: 'w', name: from }] },
      outputs: [{ namespace: 'w', name: to, facets }],
    }
    expectStatus(await tenant.admin.post('/data-gov/lineage', event), 201)
  }
  const levelOf = async (name: string) => {
    const query = { node: `w|${name}|email`, depth: '1' }
    return expectStatus(await tenant.admin.get('/data-gov/lineage/graph', { query }), 200).body.data.nodes[0].level
  }

  test('flow over edges that come late, and go with the edge', async () => {
    await copy('middle', 'b', 'c')
    await scan('a', [emails()])
    expect(await levelOf('c')).toBeNull()
    await copy('first', 'a', 'b')
    expect([await levelOf('b'), await levelOf('c')]).toEqual(['confidential', 'confidential'])
    // The next run reads something else: neither column comes from there any more.
    await copy('first', 'harmless', 'b')
    expect([await levelOf('b'), await levelOf('c')]).toEqual([null, null])
    await copy('first', 'a', 'b', { masking: true })
    expect(await levelOf('b')).toBeNull()
  })

  test('follow a decision, which says beforehand how many would move', async () => {
    await scan('source', [emails()])
    await copy('one', 'source', 'one')
    await copy('two', 'one', 'two')
    const assets = await get('classification/assets', { q: 'email', kind: 'column' })
    const { id } = assets.find(({ name }: { name: string }) => name === 'source')
    const decide = async (body: object) =>
      expectStatus(await tenant.admin.patch(`/data-gov/classification/assets/${id}`, body), 200).body.data
    const reject = { labels: [{ category: 'email', state: 'rejected' }] }
    // Both columns with their datasets; the dataset of the source has a label of its own.
    expect(await decide({ ...reject, dry_run: true })).toMatchObject({ dry_run: true, downstream_changed: 4 })
    expect(await levelOf('two')).toBe('confidential')
    expect(await decide(reject)).toMatchObject({ level: null, downstream_changed: 4 })
    expect([await levelOf('one'), await levelOf('two')]).toEqual([null, null])
    await decide({ labels: [{ category: 'health', state: 'confirmed' }] })
    expect([await levelOf('one'), await levelOf('two')]).toEqual(['restricted', 'restricted'])
    await decide({ level: 'restricted', labels: [{ category: 'health', state: 'rejected' }] })
    expect(await levelOf('two')).toBe('restricted')
  })

  test('show in the list of assets where they come from', async () => {
    await scan('target', [{ name: 'email', values: ['nothing'] }])
    await scan('origin', [emails()])
    await copy('inherit', 'origin', 'target')
    const rows = await get('classification/assets', { q: 'email', kind: 'column', include: 'inherited' })
    const target = rows.find(({ name }: { name: string }) => name === 'target')
    expect(target).toMatchObject({ level: null, inherited: { level: 'confidential', categories: ['email'] } })
    const from = expectStatus(
      await tenant.admin.get('/data-gov/lineage/graph', { query: { node: target.inherited.from_node } }),
      200,
    ).body.data.nodes[0]
    expect(from).toMatchObject({ name: 'origin', field: 'email', depth: 0 })
  })
})
