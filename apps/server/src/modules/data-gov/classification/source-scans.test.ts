/** Scans of sources that a job reads: each finds planted personal data with its statistics, and says why it could not. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable, serverUrl } from '../../../../test/support/database.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { closeAll } from '../../../kernel/egress/testing/upstream.ts'
import { bucketKey, type TestBucket, testBucket } from '../../../kernel/s3/testing/bucket.ts'
import { docx, zip } from '../../../kernel/unpack/testing/files.ts'
import { onlyPolicy } from '../../gateway/testing/policies.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { openUpstream, say } from '../../gateway/testing/upstream.ts'

let folder: string
let world: OwnWorld
let tenant: TestTenant
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-scans-'))
  const environment = { PARAPET_GATEWAY_SECRET_DIR: folder, PARAPET_LOG_LEVEL: 'silent' }
  world = await openWorld({ environment })
  tenant = await world.tenant('sources')
  await mkdir(join(folder, tenant.id))
  await writeFile(join(folder, tenant.id, 'database'), 'planted-password')
  await writeFile(join(folder, tenant.id, 'bucket'), `${bucketKey.id}:${bucketKey.secret}`)
  await writeFile(join(folder, tenant.id, 'wrong'), 'AKIDEXAMPLE:anotherSecret')
})
afterAll(async () => {
  await closeAll()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Finding {
  readonly dataset: string
  readonly field: string | null
  readonly category: string
}
interface Scan {
  readonly id: string
  readonly status: string
  readonly findings: readonly Finding[]
  readonly reads: readonly {
    readonly dataset: string
    readonly field: string | null
    readonly population: number
    readonly undetected_prevalence_max: number
  }[]
  readonly errors: readonly string[]
}

/** The scan when its job has ended. */
async function scan(source: object, more: object = {}): Promise<Scan> {
  const made = await tenant.admin.post('/data-gov/classification/scans', { source, ...more })
  const { id } = expectStatus(made, 201).body.data
  const now = async () =>
    expectStatus(await tenant.admin.get(`/data-gov/classification/scans/${id}`), 200).body.data as Scan
  await expect.poll(async () => (await now()).status, { timeout: 60_000 }).toMatch(/completed|failed/)
  return now()
}
const found = ({ findings }: Scan, dataset: string, field: string | null) =>
  findings.filter((one) => one.dataset.endsWith(dataset) && one.field === field)
const read = ({ reads }: Scan, dataset: string, field: string | null) =>
  reads.find((one) => one.dataset.endsWith(dataset) && one.field === field)

describe.skipIf(!(await isAvailable('pg')))('a PostgreSQL database', () => {
  const name = `parapet_scan_${process.pid}_${Math.floor(Math.random() * 1e9)}`
  const reader = `${name}_reader`
  let owner: Client
  let server: Client
  const place = new URL(serverUrl)
  const postgres = (over: object = {}) => ({
    kind: 'postgres',
    postgres: {
      ...{ host: place.hostname, port: Number(place.port || 5432), database: name, user: reader },
      ...{ secret: 'file://database', tables: ['crm.customers'], ...over },
    },
  })

  beforeAll(async () => {
    server = new Client({ connectionString: serverUrl })
    await server.connect()
    await server.query(`create database ${name}`)
    await server.query(`create role ${reader} login password 'planted-password'`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    owner = new Client({ connectionString: url.href })
    await owner.connect()
    await owner.query(`
      create schema crm;
      create table crm.customers (id int, email text, "No""te; drop" text, amount numeric, blank text);
      insert into crm.customers select n, 'planted' || n || '@mail.example',
        case when n % 5 = 0 then 'paid with 4111 1111 1111 1111' else 'nothing to see' end, n, null
      from generate_series(1, 20000) n;
      create table crm.small (contact text);
      insert into crm.small values ('one@mail.example'), ('two@mail.example');
      create table crm.hidden (email text);
      create table crm.parts (email text, day date) partition by range (day);
      create table crm.parts_1 partition of crm.parts for values from ('2026-01-01') to ('2026-02-01');
      insert into crm.parts select 'part' || n || '@mail.example', '2026-01-02' from generate_series(1, 400) n;
      create view crm.view as select upper(email) as contact from crm.customers;
      grant usage on schema crm to ${reader};
      grant select on crm.customers, crm.small, crm.parts, crm.view to ${reader};
      analyze;`)
  })
  afterAll(async () => {
    await owner?.end()
    await server?.query(`drop database if exists ${name} with (force)`)
    await server?.query(`drop role if exists ${reader}`)
    await server?.end()
  })

  test('is sampled: personal data is found with its statistics, and no value is kept', async () => {
    const done = await scan(postgres({ tables: ['crm.customers', 'crm.small', 'crm.parts', 'crm.view'] }))
    expect(done).toMatchObject({ status: 'completed', errors: [] })
    expect(found(done, 'crm.customers', 'email')).toMatchObject([
      { category: 'email', verdict: 'is', hits: 299, n: 299 },
    ])
    const notes = found(done, 'crm.customers', 'No"te; drop')
    expect(notes).toMatchObject([{ category: 'payment_card', verdict: 'contains', n: 299 }])
    const large = read(done, 'crm.customers', 'email')
    expect(large?.population).toBe(20_000)
    expect(large?.undetected_prevalence_max).toBeCloseTo(0.00997, 4)
    expect(read(done, 'crm.customers', 'blank')).toMatchObject({ n: 0, undetected_prevalence_max: 1 })
    expect(read(done, 'crm.small', 'contact')).toMatchObject({ n: 2, population: 2, undetected_prevalence_max: 0 })
    expect(read(done, 'crm.parts', 'email')).toMatchObject({ n: 299, population: 400 })
    expect(found(done, 'crm.view', 'contact')).toMatchObject([{ category: 'email', verdict: 'is' }])
    const stored = await world.kernel.db.read(
      tenant.id,
      sql<{ text: string }>`select row(s.*)::text as text from data_gov_scan s
        union all select row(a.*)::text from data_gov_asset a`,
    )
    expect(JSON.stringify(stored).toLowerCase()).not.toContain('mail.example')
    expect(JSON.stringify(stored)).not.toContain('planted-password')
  })

  test('gives the same sample for the same seed', async () => {
    const hits = async (seed: number) =>
      found(await scan(postgres(), { sampling: { seed } }), 'crm.customers', 'No"te; drop')
    expect(await hits(7)).toEqual(await hits(7))
  })

  test('makes labels of assets that lists show', async () => {
    await scan(postgres({ tables: ['crm.small'] }))
    const query = { kind: 'column', q: 'contact', category: 'email' }
    const { data } = expectStatus(await tenant.admin.get('/data-gov/classification/assets', { query }), 200).body
    expect(data.map(({ name: dataset }: { name: string }) => dataset)).toContain(`${name}.crm.small`)
  })

  test.each([
    ['a table that there is not', { tables: ['crm.nothing'] }, 'There is no table crm.nothing'],
    ['a table without the right to read it', { tables: ['crm.hidden'] }, 'There is no table crm.hidden'],
    ['a database that there is not', { database: 'parapet_no_such' }, 'SQLSTATE 3D000'],
    ['a role that there is not', { user: 'parapet_no_such' }, 'SQLSTATE 28'],
    ['a secret that there is not', { secret: 'file://nothing' }, 'ENOENT'],
    ['a variable that belongs to nobody', { secret: 'env://PGPASSWORD' }, 'has not allowed this tenant'],
    ['a port on which nobody listens', { port: 1 }, 'cannot be reached'],
    ['a metadata address', { host: '169.254.169.254' }, 'cannot be reached: refused'],
    ['a private address that is not allowed', { host: '10.1.2.3' }, 'cannot be reached: refused'],
    ['an address of this machine under another name', { host: '[::1]' }, 'cannot be'],
  ])('with %s ends with DGOV-001 and its reason', async (_, over, reason) => {
    const failed = await scan(postgres(over))
    expect(failed).toMatchObject({ status: 'failed', findings: [], reads: [] })
    expect(failed.errors[0]).toMatch(/^DGOV-001: /)
    expect(failed.errors[0]).toContain(reason)
    expect(failed.errors[0]).not.toContain('planted-password')
  })

  test('whose table has a name that is a statement is refused before anything is read', async () => {
    const body = { source: postgres({ tables: ['a; drop table crm.small'] }) }
    const answer = await tenant.admin.post('/data-gov/classification/scans', body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'API-001'])
  })
})

describe('an object of a bucket', () => {
  let bucket: TestBucket
  beforeAll(async () => {
    bucket = await testBucket()
    const rows = Array.from({ length: 500 }, (_, n) => `planted${n}@mail.example,fine`)
    bucket.files.set('data/people.csv', Buffer.from(`email,note\n${rows.join('\n')}\n`))
    bucket.files.set(
      'data/letter.docx',
      docx(['Write to planted@mail.example about IBAN DE89 3704 0044 0532 0130 00.']),
    )
    bucket.files.set('data/bomb.docx', zip([{ name: 'word/document.xml', content: Buffer.alloc(3_000_000) }]))
    bucket.files.set('data/macros.docx', docx(['x'], { more: [{ name: 'word/vbaProject.bin', content: 'x' }] }))
    bucket.files.set('data/large.csv', Buffer.alloc(20 * 1_048_576 + 1, 'a'))
    bucket.files.set('data/empty.txt', Buffer.alloc(0))
    bucket.files.set('data/program.exe', Buffer.from('MZ'))
  })
  const s3 = (object: string, over: object = {}) => ({
    kind: 's3',
    s3: {
      ...{ address: `${bucket.endpoint}/backups/data`, region: 'eu-test-1', secret: 'file://bucket', object },
      ...over,
    },
  })

  test('is read through the unpacking room, with its statistics', async () => {
    const table = await scan(s3('people.csv'))
    expect(table).toMatchObject({ status: 'completed', errors: [] })
    expect(found(table, 'data/people.csv', 'email')).toMatchObject([{ category: 'email', verdict: 'is', n: 299 }])
    expect(read(table, 'data/people.csv', 'note')).toMatchObject({ n: 299, population: 500 })
    const letter = await scan(s3('letter.docx'))
    const categories = found(letter, 'data/letter.docx', null).map(({ category }) => category)
    expect(categories).toEqual(expect.arrayContaining(['email', 'bank_account']))
  })

  test.each([
    ['that is not there', 'nothing.csv', {}, 'DGOV-001', 'no such object'],
    ['with a wrong key', 'people.csv', { secret: 'file://wrong' }, 'DGOV-001', 'the bucket answers 403'],
    ['of a private address', 'people.csv', { address: 'http://10.1.2.3/backups' }, 'DGOV-001', 'cannot be reached'],
    ['above 20 MiB', 'large.csv', {}, 'DGOV-002', '20971521 bytes'],
    ['that is a bomb', 'bomb.docx', {}, 'DGOV-002', ''],
    ['with macros', 'macros.docx', {}, 'DGOV-002', ''],
    ['that is a program', 'program.exe', {}, 'DGOV-002', '".exe"'],
  ])('%s ends with its named error', async (_, object, over, code, reason) => {
    const failed = await scan(s3(object, over))
    expect(failed).toMatchObject({ status: 'failed', findings: [], reads: [] })
    expect(failed.errors[0]).toMatch(new RegExp(`^${code}: `))
    expect(failed.errors[0]).toContain(reason)
  })
})

test('prompts and answers of kept model calls are sampled, with shares of calls', async () => {
  const upstream = await openUpstream()
  upstream.reply(say('Write to answered@mail.example.'))
  await addProvider(tenant.admin, 'local', upstream)
  await onlyPolicy(tenant, { sensitive_data: { entities: { EMAIL: { action: 'allow' } } } })
  for (let n = 0; n < 4; n += 1) expectStatus(await ask(tenant.admin, `Call ${n}: I am planted${n}@mail.example.`), 200)
  const kept = async () =>
    (
      await world.kernel.db.read(tenant.id, sql<{ n: number }>`select count(*)::int as n from gateway_request_payload`)
    )[0]
  await expect.poll(async () => (await kept())?.n, { timeout: 20_000 }).toBe(4)
  const done = await scan({ kind: 'gateway_sample' })
  expect(done).toMatchObject({ status: 'completed', errors: [] })
  for (const field of ['prompt', 'answer'])
    expect(found(done, 'gateway_request_payload', field).filter(({ category }) => category === 'email')).toMatchObject([
      { hits: 4, n: 4, verdict: 'contains' },
    ])
  expect(read(done, 'gateway_request_payload', 'prompt')).toMatchObject({ n: 4, population: 4 })
  await upstream.close()
})
