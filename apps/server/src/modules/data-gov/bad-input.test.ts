/** Hostile and broken input: each is refused with its named error and changes nothing. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UploadBody } from '../../../test/support/upload-body.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../test/support/world.ts'
import { sql } from '../../kernel/db/sql.ts'
import { pdf } from '../../kernel/unpack/testing/files.ts'

let world: OwnWorld
let tenant: TestTenant
beforeAll(async () => {
  // No private address is allowed here, as in an installation that nobody has set up for it.
  world = await openWorld({ environment: { PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '', PARAPET_LOG_LEVEL: 'silent' } })
  tenant = await world.tenant('hostile')
})
afterAll(() => world?.close())

const whole = (over: object = {}) => ({
  ...{ eventTime: '2026-01-01T00:00:00Z', producer: 'https://e.example/p' },
  ...{ schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json', job: { namespace: 'etl', name: 'hostile' } },
  ...{ inputs: [{ namespace: 'w', name: 'in' }], outputs: [{ namespace: 'w', name: 'out' }], ...over },
})
const send = (body: unknown) => tenant.admin.post('/data-gov/lineage', body)
const packed = (bytes: Uint8Array) =>
  tenant.admin.post('/data-gov/lineage', UploadBody.stream('application/json', bytes), {
    headers: { 'content-encoding': 'gzip' },
  })
const counts = async () =>
  (
    await world.kernel.db.read(
      tenant.id,
      sql<{ events: number; nodes: number }>`
        select (select count(*) from data_gov_lineage_event)::int as events,
          (select count(*) from data_gov_node)::int as nodes`,
    )
  )[0]
const columnsFrom = (fields: string) =>
  JSON.stringify(
    whole({ outputs: [{ namespace: 'w', name: 'out', facets: { columnLineage: { fields: 'F' } } }] }),
  ).replace('"F"', fields)
const inputField = (field: string) => `{"inputFields":[{"namespace":"w","name":"in","field":${JSON.stringify(field)}}]}`

describe('an event of lineage', () => {
  test.each([
    ['without a time zone', whole({ eventTime: '2026-01-01T00:00:00' }), '/eventTime'],
    ['of the year 9999', whole({ eventTime: '9999-01-01T00:00:00Z' }), '/eventTime'],
    ['of a day that is none', whole({ eventTime: '2026-02-30T25:00:00Z' }), '/eventTime'],
    ['with 50,000 inputs', whole({ inputs: new Array(50_000).fill({ namespace: 'w', name: 'x' }) }), '/inputs'],
    [
      'with a name of 10,000 characters',
      whole({ inputs: [{ namespace: 'w', name: 'x'.repeat(10_000) }] }),
      '/inputs/0/name',
    ],
    ['with a NUL in a name', whole({ inputs: [{ namespace: 'w', name: 'a\u0000b' }] }), '/inputs/0/name'],
    ['without a producer', whole({ producer: undefined }), '/producer'],
    ['whose job is a list', whole({ job: [] }), '/job'],
    ['whose facets are a text', whole({ job: { namespace: 'a', name: 'b', facets: 'c' } }), '/job/facets'],
  ])('%s is refused at its place', async (_, event, pointer) => {
    const before = await counts()
    const answer = await send(event)
    expect([answer.status, answer.body.error_code]).toEqual([422, 'DGOV-006'])
    expect(answer.body.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer)
    expect(await counts()).toEqual(before)
  })

  test.each([
    [
      'a facet of 10 MB',
      () => send(whole({ outputs: [{ namespace: 'w', name: 'x', facets: { sql: 'x'.repeat(10e6) } }] })),
    ],
    ['a bomb', () => packed(gzipSync(Buffer.alloc(200_000_000, ' ')))],
  ])('with %s is refused by its size', async (_, act) => {
    const before = await counts()
    const answer = await act()
    expect(answer.status).toBe(413)
    expect(answer.body.error_code).toMatch(/^API-/)
    expect(await counts()).toEqual(before)
  })

  test.each([
    ['packing that is none', () => packed(Buffer.from('no gzip'))],
    ['no JSON', () => tenant.admin.post('/data-gov/lineage', UploadBody.stream('application/json', Buffer.from('{"')))],
    ['a list of 1,001', () => send(new Array(1_001).fill(whole()))],
    ['an empty list', () => send([])],
  ])('with %s is refused as a request', async (_, act) => {
    const answer = await act()
    expect([answer.status, answer.body.error_code]).toEqual([400, expect.stringMatching(/^API-/)])
  })

  test('keeps names with quotes and bars, and columns called as members of every object', async () => {
    const name = `a|b'c"d\\ %_ \u202e`
    const fields = `{"__proto__":${inputField('constructor')},"toString":${inputField('__proto__')}}`
    const event = JSON.parse(columnsFrom(fields))
    const body = JSON.stringify(event).replaceAll('"name":"out"', `"name":${JSON.stringify(name)}`)
    const text = UploadBody.stream('application/json', Buffer.from(body))
    expectStatus(await tenant.admin.post('/data-gov/lineage', text), 201)
    const query = { node: `w|${name}|__proto__`, direction: 'upstream' }
    const { data } = expectStatus(await tenant.admin.get('/data-gov/lineage/graph', { query }), 200).body
    expect(data.nodes.map(({ field }: { field: string }) => field).sort()).toEqual(['__proto__', 'constructor'])
  })

  test('with a NUL in the name of a column is refused, wherever it stands', async () => {
    const body = columnsFrom(`{${JSON.stringify('a\u0000b')}:${inputField('ok')}}`)
    const text = UploadBody.stream('application/json', Buffer.from(body))
    const answer = await tenant.admin.post('/data-gov/lineage', text)
    expect([answer.status, answer.body.error_code]).toEqual([422, 'DGOV-006'])
    expect(answer.body.errors[0].pointer).toBe('/outputs/0/facets/columnLineage/fields')
  })

  test('with columns of giant names keeps the others, and says what it left out', async () => {
    const giant = JSON.stringify('x'.repeat(10_000))
    const body = columnsFrom(
      `{"ok":${inputField('ok')},${giant}:${inputField('ok')},"far":${inputField('x'.repeat(10_000))}}`,
    )
    const text = UploadBody.stream('application/json', Buffer.from(body))
    const { warnings } = expectStatus(await tenant.admin.post('/data-gov/lineage', text), 201).body.data
    expect(warnings).toEqual([expect.stringContaining('longer than 2000'), expect.stringContaining('column far')])
    const query = { node: 'w|out|ok', direction: 'upstream' }
    const { data } = expectStatus(await tenant.admin.get('/data-gov/lineage/graph', { query }), 200).body
    expect(data.nodes).toHaveLength(2)
  })
})

describe('a scan', () => {
  const scan = (source: object) => tenant.admin.post('/data-gov/classification/scans', { source })
  const file = (name: string, content: string | Buffer) =>
    scan({ kind: 'file', file: { name, content: Buffer.from(content).toString('base64') } })

  test.each([
    ['a Parquet file with a lying footer', 'x.parquet', Buffer.from('PAR1\xff\xff\xff\x7fPAR1', 'latin1')],
    ['a PDF whose pages are in a circle', 'x.pdf', looped()],
    [
      'a PDF that is encrypted',
      'x.pdf',
      pdf(
        ['x'],
        `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -44 >>`,
      ),
    ],
    ['a table with 20,000 columns', 'x.csv', `${new Array(20_000).fill('a').join(',')}\n`],
    [
      'JSON with 20,000 paths',
      'x.json',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, 'x']))),
    ],
    ['text that is no UTF-8', 'x.csv', Buffer.from([0xff, 0xfe, 0x41])],
    ['a file without an ending', 'x', 'text'],
  ])('of %s is refused', async (_, name, content) => {
    const answer = await file(name, content)
    expect([answer.status, answer.body.error_code]).toEqual([422, 'DGOV-002'])
  })

  test.each([
    ['no columns', { kind: 'inline' }, '/source/columns'],
    ['no file', { kind: 'file' }, '/source/file'],
    ['no database', { kind: 'postgres' }, '/source/postgres'],
    ['no bucket', { kind: 's3' }, '/source/s3'],
    ['no table', { kind: 'platform' }, '/source/table'],
    ['a file that is not base64', { kind: 'file', file: { name: 'x.txt', content: '%%%' } }, '/source/file/content'],
  ])('with %s names the part', async (_, source, pointer) => {
    const answer = await scan(source)
    expect([answer.status, answer.body.error_code, answer.body.errors[0].pointer]).toEqual([400, 'API-001', pointer])
  })

  test.each(['localhost', '127.0.0.1', '169.254.169.254', '0.0.0.0', '::1'])('does not dial %s', async (host) => {
    const postgres = { host, database: 'd', user: 'u', secret: 'file://none', tables: ['t'] }
    const { id } = expectStatus(await scan({ kind: 'postgres', postgres }), 201).body.data
    const now = async () => (await tenant.admin.get(`/data-gov/classification/scans/${id}`)).body.data
    await expect.poll(async () => (await now()).status, { timeout: 30_000 }).toBe('failed')
    expect((await now()).errors[0]).toMatch(/^DGOV-001: /)
  })
})

describe('consents and retention', () => {
  const person = { aliases: [{ kind: 'email', value: 'hostile@people.example' }] }
  const tell = (over: object) =>
    tenant.admin.post('/data-gov/consents', {
      kind: 'event',
      event: { subject: person, event: 'given', purposes: ['p'], basis: 'contract', method: 'web_form', ...over },
    })
  const policy = (over: object) =>
    tenant.admin.post('/data-gov/retention-policies', {
      ...{ kind: 'schedule', name: 'X', categories: ['lineage'], maximum: 'P30D', ground: 'Y', ...over },
    })

  test.each([
    ['a withdrawal without a consent', () => tell({ event: 'withdrawn' }), 409, 'DGOV-009'],
    ['a person without identifiers', () => tell({ subject: { aliases: [] } }), 400, 'API-001'],
    ['a time ahead', () => tell({ occurred_at: '2999-01-01T00:00:00Z' }), 400, 'API-001'],
    [
      '1,001 events',
      () => tenant.admin.post('/data-gov/consents', { kind: 'batch', events: new Array(1_001).fill({}) }),
      400,
      'API-001',
    ],
    ['a duration of nothing', () => policy({ maximum: 'P0D' }), 409, 'DGOV-011'],
    ['a duration that is none', () => policy({ maximum: '30 days' }), 400, 'API-001'],
    ['a minimum above the maximum', () => policy({ minimum: 'P1Y' }), 409, 'DGOV-011'],
    ['a hold without a matter', () => policy({ kind: 'legal_hold' }), 400, 'API-001'],
  ])('%s is refused', async (_, act, status, code) => {
    const answer = await act()
    expect([answer.status, answer.body.error_code]).toEqual([status, code])
  })
})

/** A tree of pages whose only child is itself. */
function looped(): Buffer {
  return Buffer.from(pdf(['x']).toString('latin1').replace('/Kids [4 0 R]', '/Kids [2 0 R]'), 'latin1')
}
