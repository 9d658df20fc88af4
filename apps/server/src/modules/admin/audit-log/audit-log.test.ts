import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'

let world: OwnWorld
let tenant: TestTenant
let other: TestTenant

const path = '/admin/audit-logs'

beforeAll(async () => {
  world = await openWorld({ own: true })
  tenant = await world.tenant('audit-log')
  other = await world.tenant('audit-other')
  for (const name of ['=cmd|calc', 'Second "role"', 'Third'])
    expectStatus(await tenant.admin.post('/iam/roles', { name, permissions: ['trust:read'] }), 201)
  const { secret } = expectStatus(
    await tenant.admin.post('/iam/api-keys', { name: 'Reader', scopes: ['admin:read'] }),
    201,
  ).body.data
  reader = world.stranger.with(secret)
  expectStatus(await (await tenant.as('viewer')).get(path), 403)
  await vi.waitFor(async () => expect(await unsealed(tenant.admin)).toEqual([]), { timeout: 30_000 })
})

afterAll(() => world?.close())

/** A key that may read the log and nothing else. */
let reader: TestClient

const unsealed = async (client: TestClient) =>
  (await found(client, {})).filter(({ seq }: { seq: number | null }) => seq === null)
const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]

async function found(client: TestClient, query: Record<string, string>) {
  return expectStatus(await client.get(path, { query: { limit: '200', ...query } }), 200).body.data
}

async function file(client: TestClient, accept: string, query: Record<string, string> = {}): Promise<TestAnswer> {
  return expectStatus(await client.get(path, { query, headers: { accept } }), 200)
}

describe('a search', () => {
  test.each<[string, Record<string, string>, (entry: Record<string, string>) => boolean]>([
    ['an action by its beginning', { action: 'iam.role.' }, ({ action }) => action?.startsWith('iam.role.') === true],
    ['a result', { result: 'refused' }, ({ result }) => result === 'refused'],
    ['a target', { target: 'route:/api' }, ({ target }) => target?.startsWith('route:/api') === true],
    ['a kind of actor', { actor_kind: 'user' }, ({ actor_kind: kind }) => kind === 'user'],
    ['an address', { ip: '127.0.0.1' }, ({ ip }) => ip === '127.0.0.1'],
    ['words in any case', { q: 'ROLE.CREATE' }, ({ action }) => action === 'iam.role.create'],
  ])('finds by %s', async (_name, query, matches) => {
    const all = await found(tenant.admin, {})
    const wanted = all.filter(matches)
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.length).toBeLessThan(all.length + 1)
    expect(await found(tenant.admin, query)).toEqual(wanted)
  })

  test('finds by person, request and time', async () => {
    const all = await found(tenant.admin, { sort: 'at' })
    const one = all.find(({ action }: { action: string }) => action === 'iam.role.create')
    expect(await found(tenant.admin, { request_id: one.request_id })).toEqual([one])
    const byActor = await found(tenant.admin, { actor_id: one.user_id })
    expect(new Set(byActor.map(({ user_id: id }: { user_id: string }) => id))).toEqual(new Set([one.user_id]))
    const later = await found(tenant.admin, { since: one.at, sort: 'at' })
    expect(later[0].at >= one.at && later.length < all.length).toBe(true)
    const earlier = await found(tenant.admin, { until: one.at, sort: 'at' })
    expect(earlier.length + later.length).toBe(all.length)
    expect(await found(tenant.admin, { q: "'; drop table audit_entry; --" })).toEqual([])
  })

  test('walks page by page over everything once', async () => {
    const all = await found(tenant.admin, { action: 'iam.' })
    const walked: unknown[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string> = { action: 'iam.', limit: '2', ...(cursor === null ? {} : { cursor }) }
      const { data, meta } = expectStatus(await tenant.admin.get(path, { query }), 200).body
      expect(meta.pagination.total_count).toBe(all.length)
      walked.push(...data)
      cursor = meta.pagination.cursor
    } while (cursor !== null && walked.length < 100)
    expect(walked).toEqual(all)
  })

  test('C16 shows values only to who may read the module they belong to', async () => {
    const [full] = await found(tenant.admin, { action: 'iam.role.create' })
    const [bare] = await found(reader, { action: 'iam.role.create' })
    expect(full).toMatchObject({ withheld: false, after: { permissions: ['trust:read'] } })
    expect(bare).toEqual({ ...full, withheld: true, before: null, after: null })
    expect(await found(reader, { q: 'second' })).toEqual([])
    const [line] = (await file(reader, 'application/x-ndjson', { action: 'iam.role.create' })).text.split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ withheld: true, after: null })
  })

  test('C10 is of its tenant, and of the installation for its operators alone', async () => {
    const ids = new Set((await found(tenant.admin, {})).map(({ tenant_id: id }: { tenant_id: string }) => id))
    expect([...ids]).toEqual([tenant.id])
    expect(told(await tenant.admin.get(path, { query: { scope: 'platform' } }))).toEqual([403, 'AUTH-004'])
    expect(told(await world.operator.get(path, { query: { scope: 'platform' } }))).toEqual([200, undefined])
    const { cursor } = (await tenant.admin.get(path, { query: { limit: '1' } })).body.meta.pagination
    expect(told(await other.admin.get(path, { query: { limit: '1', cursor } }))).toEqual([400, 'API-003'])
  })
})

describe('an export', () => {
  test('holds the chain, each entry once and in order, and is an entry itself', async () => {
    const { text, headers } = await file(tenant.admin, 'application/x-ndjson')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
    expect(headers['content-disposition']).toContain('.ndjson')
    const [entry] = await found(tenant.admin, { action: 'admin.audit.export' })
    expect(entry).toMatchObject({ result: 'success', after: { form: 'application/x-ndjson', size: lines.length } })
    const listed = await found(tenant.admin, { action: 'iam.role.create', sort: 'at' })
    expect(lines.filter(({ action }) => action === 'iam.role.create')).toEqual(listed)
  })

  test('as events of the Open Cybersecurity Schema Framework holds each entry once and in order', async () => {
    const { text, headers } = await file(tenant.admin, 'application/x-ocsf+ndjson')
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(headers['content-disposition']).toContain('.ocsf.ndjson')
    expect(events.map(({ metadata }) => metadata.sequence)).toEqual(events.map((_, index) => index + 1))
    const roles = events.filter(({ class_uid: uid }) => uid === 3008)
    const listed = await found(tenant.admin, { action: 'iam.role.create', sort: 'at' })
    expect(roles.map(({ unmapped }) => unmapped)).toEqual(listed)
    expect(roles.map(({ iam_role: role }) => `role:${role.uid}`)).toEqual(
      listed.map(({ target }: { target: string }) => target),
    )
    const [line] = (await file(reader, 'application/x-ocsf+ndjson', { action: 'iam.role.create' })).text.split('\n')
    expect(JSON.parse(line ?? '').unmapped).toMatchObject({ withheld: true, after: null })
  })

  test('C33 as CSV runs nothing in a spreadsheet', async () => {
    const { text, headers } = await file(tenant.admin, 'text/csv', { action: 'iam.role.create' })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const rows = text.trimEnd().split('\r\n')
    expect(rows[0]).toContain('"tenant_id","id","at"')
    expect(rows).toHaveLength(4)
    expect(rows.every((row) => !/(^|,)"?[=+@-]/.test(row))).toBe(true)
  })
})
