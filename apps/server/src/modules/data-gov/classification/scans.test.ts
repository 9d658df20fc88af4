import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('scans')
})
afterAll(() => world?.close())

const emails = (count: number) => Array.from({ length: count }, (_, n) => `person${n}@mail.example`)
const scan = async (source: object, more: object = {}) =>
  expectStatus(await tenant.admin.post('/data-gov/classification/scans', { source, ...more }), 201).body.data
const finding = (made: { findings: { field: string; category: string }[] }, field: string | null) =>
  made.findings.find((one) => one.field === field)
const asset = async (query: object) =>
  expectStatus(await tenant.admin.get('/data-gov/classification/assets', { query: { ...query } }), 200).body.data[0]

describe('a scan', () => {
  test('says of each column what it is, with its statistics, and keeps no value', async () => {
    const columns = [
      { name: 'email', values: emails(1_000) },
      { name: 'card', values: [...new Array(298).fill('none'), '4111 1111 1111 1111'] },
      { name: 'notes', values: new Array(100).fill('nothing to see') },
    ]
    const made = await scan({ kind: 'inline', namespace: 'crm', name: 'people', columns })
    expect(made).toMatchObject({ status: 'completed', sampling: { n: 299, confidence: 0.95 }, rows_read: 299 })
    expect(finding(made, 'email')).toMatchObject({ category: 'email', verdict: 'is', hits: 299, n: 299 })
    expect(finding(made, 'card')).toMatchObject({ category: 'payment_card', verdict: 'contains', hits: 1 })
    const read = (field: string) => made.reads.find((one: { field: string }) => one.field === field)
    expect(read('email').undetected_prevalence_max).toBeCloseTo(0.00997, 4)
    expect(read('notes').undetected_prevalence_max).toBe(1 - 0.05 ** (1 / 100))
    const stored = await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) =>
      JSON.stringify([
        await tx.query(sql`select * from data_gov_scan`),
        await tx.query(sql`select * from data_gov_asset`),
      ]),
    )
    expect(stored).not.toContain('mail.example')
    expect(stored).not.toContain('4111')
    const seen = expectStatus(await tenant.admin.get(`/data-gov/classification/scans/${made.id}`), 200).body.data
    expect(seen).toEqual(made)
    expect(await asset({ kind: 'column', category: 'payment_card' })).toMatchObject({
      level: 'restricted',
      field: 'card',
    })
  })

  test('gives the same sample for the same seed', async () => {
    const columns = [
      { name: 'mixed', values: Array.from({ length: 3_000 }, (_, n) => (n % 7 === 0 ? `p${n}@mail.example` : 'none')) },
    ]
    const of = async (seed: number) =>
      finding(await scan({ kind: 'inline', name: 'seeded', columns }, { sampling: { seed } }), 'mixed')
    const [one, two] = [await of(1), await of(1)]
    expect(one).toEqual(two)
  })

  test.each([
    ['people.csv', 'name,email\n"A ""B""",a@mail.example\nC,c@mail.example\n', 'email'],
    ['people.json', JSON.stringify([{ contact: { email: 'a@mail.example' } }]), 'contact.email'],
    ['people.ndjson', '{"email":"a@mail.example"}\n{"email":"b@mail.example"}\n', 'email'],
    [
      'letter.eml',
      'From: a@mail.example\r\nTo: b@mail.example\r\nSubject: Hi\r\n\r\nWrite to c@mail.example\r\n',
      null,
    ],
    ['notes.txt', 'Write to ann@mail.example about it. Write to bob@mail.example too.', null],
  ])('reads %s', async (name, text, field) => {
    const made = await scan({ kind: 'file', file: { name, content: Buffer.from(text).toString('base64') } })
    expect(made.findings.filter((one: { field: string | null }) => one.field === field).length).toBeGreaterThan(0)
    expect(finding(made, field)).toMatchObject({ category: 'email' })
  })

  test.each([
    ['a program', 'run.exe', 'MZ'],
    ['JSON that is none', 'x.json', '{"a":'],
    ['a document that is none', 'x.docx', 'PK no archive'],
    ['a table with 20,000 columns', 'x.csv', `${new Array(20_000).fill('a').join(',')}\n`],
  ])('refuses %s', async (_, name, text) => {
    const source = { kind: 'file', file: { name, content: Buffer.from(text).toString('base64') } }
    const answer = await tenant.admin.post('/data-gov/classification/scans', { source })
    expect([answer.status, answer.body.error_code]).toEqual([422, 'DGOV-002'])
  })

  test('reads tables of the platform by a job, with the content that is encrypted', async () => {
    const made = await scan({ kind: 'platform', table: 'iam_user' })
    expect(made.status).toBe('queued')
    const now = async () => (await tenant.admin.get(`/data-gov/classification/scans/${made.id}`)).body.data
    await expect.poll(async () => (await now()).status, { timeout: 20_000 }).toBe('completed')
    expect(finding(await now(), 'email')).toMatchObject({ category: 'email', verdict: 'contains' })
  })

  test.each([
    ['a metadata address', '169.254.169.254'],
    ['an address of a private range that is not allowed', '10.1.2.3'],
  ])('does not reach %s', async (_, host) => {
    const postgres = { host, database: 'd', user: 'u', secret: 'env://PARAPET_NO_SUCH', tables: ['t'] }
    const made = await scan({ kind: 'postgres', postgres })
    const now = async () => (await tenant.admin.get(`/data-gov/classification/scans/${made.id}`)).body.data
    await expect.poll(async () => (await now()).status, { timeout: 20_000 }).toBe('failed')
    expect((await now()).errors[0]).toBeTruthy()
    expect(JSON.stringify(await now())).not.toContain('PARAPET_NO_SUCH"')
  })
})

describe('labels', () => {
  test('are decided by people, and a decision outlives the next scan', async () => {
    const source = { kind: 'inline', name: 'decided', columns: [{ name: 'email', values: emails(40) }] }
    await scan(source)
    const found = await asset({ q: 'email', kind: 'column', namespace: 'inline' })
    const at = `/data-gov/classification/assets/${found.id}`
    const reject = { labels: [{ category: 'email', state: 'rejected', reason: 'Test data' }] }
    const dry = expectStatus(await tenant.admin.patch(at, { ...reject, dry_run: true }), 200).body.data
    expect([dry.level, dry.dry_run]).toEqual([null, true])
    expectStatus(await tenant.admin.patch(at, reject), 200)
    await scan(source)
    expect(await asset({ state: 'rejected' })).toMatchObject({ id: found.id, level: null, categories: [] })
    expectStatus(await tenant.admin.patch(at, { labels: [{ category: 'health', state: 'confirmed' }], pin: true }), 200)
    expect(await asset({ category: 'health' })).toMatchObject({ id: found.id, level: 'restricted', pinned: true })
    expect((await tenant.admin.patch(at, reject)).body.error_code).toBe('DGOV-005')
    const unknown = await tenant.admin.patch(at, { labels: [{ category: 'shoe_size', state: 'confirmed' }] })
    expect([unknown.body.error_code, unknown.body.errors[0].pointer]).toEqual(['DGOV-004', '/labels/0/category'])
  })
})
