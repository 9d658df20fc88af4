import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import type { Tx } from '../../src/kernel/db/port.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { LoggedEvent } from '../../src/kernel/events/catalogue/logged-event.ts'
import type { TestClient } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

let world: NotesWorld
let tenantId: TenantId
let writer: TestClient

beforeAll(async () => {
  world = await openNotesWorld()
  tenantId = await world.tenant()
  writer = await world.person(tenantId)
})
afterAll(() => world.close())

const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.kernel.db.tenant({ tenantId }, work)

async function auditOf(requestId: string | undefined): Promise<readonly Record<string, unknown>[]> {
  return inTenant((tx) => tx.query(sql`select * from audit_entry where request_id = ${requestId ?? ''}`))
}

async function countOf(kind: 'notes' | 'entries' | 'keys'): Promise<number> {
  const statements = {
    notes: sql<{ n: number }>`select count(*)::int as n from test_note`,
    entries: sql<{ n: number }>`select count(*)::int as n from audit_entry`,
    keys: sql<{ n: number }>`select count(*)::int as n from idempotency_key`,
  }
  return (await inTenant((tx) => tx.first(statements[kind])))?.n ?? 0
}

describe('a change and its answer', () => {
  test('what cannot be answered did not happen', async () => {
    const before = [await countOf('notes'), await countOf('entries'), await countOf('keys')]
    const answer = await writer.post(
      '/resilience/unwritable',
      { text: 'lost' },
      { headers: { 'idempotency-key': 'u' } },
    )
    expect(answer.status).toBe(500)
    expect(world.probe.runs.get('unwritable')).toBe(1)
    expect([await countOf('notes'), await countOf('entries'), await countOf('keys')]).toEqual(before)
  })

  test('a created resource is where Location says, and holds declared fields only', async () => {
    const made = await writer.post('/risk/notes', { title: 'placed', body: 'text' })
    const read = await writer.get(made.headers.location ?? '')
    expect(read.body.data).toEqual(made.body.data)
    expect(Object.keys(read.body.data)).toEqual(['id', 'tenant_id', 'created_at', 'updated_at', 'title', 'body'])
  })

  test('a write with the entity tag of the last read passes, with an older one it does not', async () => {
    const made = await writer.post('/risk/notes', { title: 'v1' })
    const path = `/risk/notes/${made.body.data.id}`
    const first = await writer.get(path)
    const changed = await writer.patch(path, { title: 'v2' }, { headers: { 'if-match': first.headers.etag ?? '' } })
    expect([changed.status, changed.body.data.title]).toEqual([200, 'v2'])
    const late = await writer.patch(path, { title: 'v3' }, { headers: { 'if-match': first.headers.etag ?? '' } })
    expect(late.body.error_code).toBe('API-012')
    expect((await writer.get(path)).headers.etag).toBe(changed.headers.etag)
  })

  test('an unchanged resource is 304 without a body', async () => {
    const made = await writer.post('/risk/notes', { title: 'same' })
    const path = `/risk/notes/${made.body.data.id}`
    const tag = (await writer.get(path)).headers.etag ?? ''
    const again = await writer.get(path, { headers: { 'if-none-match': `"other", W/${tag}` } })
    expect([again.status, again.text]).toEqual([304, ''])
    await writer.patch(path, { title: 'changed' })
    expect((await writer.get(path, { headers: { 'if-none-match': tag } })).status).toBe(200)
  })
})

describe('the audit log', () => {
  test('C60 a handler that says nothing leaves the entry of its route', async () => {
    const answer = await writer.post('/risk/notes', { title: 'quiet' }, { headers: { 'user-agent': 'probe/1' } })
    expect(await auditOf(answer.headers['x-request-id'])).toMatchObject([
      {
        action: 'note.create',
        target: 'risk:-',
        result: 'success',
        actor_kind: 'user',
        role: 'probe',
        // Address and client of the person are kept beside the entry, to be erased with them.
        ip: expect.stringMatching(/^personal:/),
        user_agent: expect.stringMatching(/^personal:/),
      },
    ])
  })

  test('C60 a handler that tells more is not repeated', async () => {
    const made = await writer.post('/risk/notes', { title: 'before' })
    const answer = await writer.patch(`/risk/notes/${made.body.data.id}`, { title: 'after' })
    expect(await auditOf(answer.headers['x-request-id'])).toMatchObject([
      {
        action: 'note.change',
        target: `note:${made.body.data.id}`,
        before: expect.objectContaining({ title: 'before' }),
        after: expect.objectContaining({ title: 'after' }),
      },
    ])
  })

  test('C60 reading and refused changes leave no entry of a change', async () => {
    const made = await writer.post('/risk/notes', { title: 'locked' })
    const path = `/risk/notes/${made.body.data.id}`
    for (const answer of [await writer.get(path), await writer.patch(path, { title: 'open' })])
      expect(await auditOf(answer.headers['x-request-id'])).toEqual([])
  })
})

describe('who may come in', () => {
  test('a signed-in person without any permission reaches what asks for none', async () => {
    const person = await world.person(tenantId, [])
    expect((await person.get('/resilience/anyone')).body.data.text).toBe(tenantId)
    expect((await person.get('/risk/notes')).body).toMatchObject({ error_code: 'AUTH-004', permission: 'risk:read' })
  })

  test('the level that was asked for includes those below it and none above', async () => {
    const person = await world.person(tenantId, ['risk:write'])
    expect((await person.get('/risk/notes')).status).toBe(200)
    expect((await person.post('/risk/notes', { title: 'x' })).status).toBe(201)
    const other = await world.person(tenantId, ['iam:admin', 'aegis:admin'])
    expect((await other.get('/risk/notes')).status).toBe(403)
  })

  test('an API key works in both of its places', async () => {
    const key = world.apiKey(tenantId, null)
    expect((await key.get('/risk/notes')).status).toBe(200)
    expect((await world.stranger.get('/risk/notes', { headers: { 'x-api-key': key.token } })).status).toBe(200)
  })

  test('C13 a route for agents takes service accounts and nobody else, whatever they may do', async () => {
    const path = '/resilience/agents-only'
    expect((await world.agent(tenantId).get(path)).body.data.id).not.toBe('')
    for (const client of [writer, world.apiKey(tenantId, null)]) {
      const answer = await client.get(path)
      expect([answer.status, answer.body.error_code, answer.body.permission]).toEqual([403, 'AUTH-004', 'agent'])
    }
    expect((await world.stranger.get(path)).body.error_code).toBe('AUTH-001')
  })

  test('C01 a token of an outside issuer is a credential on routes that take it, and on no others', async () => {
    const outsider = world.outsider(tenantId)
    expect((await outsider.get('/resilience/agents-only')).body.data.id).not.toBe('')
    const elsewhere = await outsider.get('/risk/notes')
    expect([elsewhere.status, elsewhere.body.error_code]).toEqual([401, 'AUTH-002'])
    const unknown = await world.stranger.with('e30.e30.e30').get('/resilience/agents-only')
    expect([unknown.status, unknown.body.error_code]).toEqual([401, 'AUTH-002'])
    expect(unknown.headers['www-authenticate']).toContain('Bearer')
    const header = { 'x-tenant-id': world.kernel.random.uuid() }
    expect((await outsider.get('/resilience/agents-only', { headers: header })).body.error_code).toBe('AUTH-005')
  })

  test('a credential of one tenant does not act in another', async () => {
    const other = await world.tenant()
    expect((await writer.get('/risk/notes', { headers: { 'x-tenant-id': tenantId } })).status).toBe(200)
    const answer = await writer.get('/risk/notes', { headers: { 'x-tenant-id': other } })
    expect([answer.status, answer.body.error_code]).toEqual([403, 'AUTH-005'])
  })

  test('what is public asks for no credential and minds no bad one', async () => {
    for (const client of [world.stranger, world.stranger.with('garbage')])
      expect((await client.post('/resilience/public', { text: 'hello' })).body.data.text).toBe('hello')
  })

  test("C10 another tenant's resource does not exist, in the same words as one that never did", async () => {
    const made = await writer.post('/risk/notes', { title: 'ours' })
    const stranger = await world.person(await world.tenant())
    const theirs = await stranger.get(`/risk/notes/${made.body.data.id}`)
    const nothing = await stranger.get(`/risk/notes/${world.kernel.random.uuid()}`)
    expect(theirs.status).toBe(404)
    expect(withoutIds(theirs.text)).toBe(withoutIds(nothing.text))
  })
})

describe('a suspended tenant', () => {
  test.each(['suspended', 'pending_deletion'] as const)('%s: reads, and changes nothing', async (status) => {
    const id = await world.tenant()
    const person = await world.person(id)
    expect((await person.post('/risk/notes', { title: 'before' })).status).toBe(201)
    await world.setTenantStatus(id, status)
    expect((await person.get('/risk/notes')).body.data).toHaveLength(1)
    const refused = await person.post('/risk/notes', { title: 'while' })
    expect([refused.status, refused.body.error_code]).toEqual([403, 'AUTH-016'])
    await world.setTenantStatus(id, 'active')
    expect((await person.post('/risk/notes', { title: 'after' })).status).toBe(201)
  })
})

describe('before the first administrator exists', () => {
  beforeAll(() => world.setSetUp(false))
  afterAll(() => world.setSetUp(true))

  test('every route is 503, with and without a credential', async () => {
    const calls = [
      writer.get('/risk/notes'),
      world.stranger.get('/risk/notes'),
      world.stranger.post('/resilience/public', { text: 'x' }),
      writer.get('/resilience/anyone'),
    ]
    for (const answer of await Promise.all(calls))
      expect([answer.status, answer.body.error_code]).toEqual([503, 'API-009'])
  })

  test('but the set-up itself and the probes answer', async () => {
    expect((await world.stranger.post('/resilience/first', { text: 'x' })).status).toBe(200)
    expect((await world.stranger.send('GET', 'healthz', {})).status).toBe(200)
  })
})

test('a change and its event are stored together; a refused one leaves none', async () => {
  const person = await world.person(tenantId)
  const seen: LoggedEvent[] = []
  const stop = world.kernel.tail.subscribe({ tenants: () => [tenantId], read: (events) => void seen.push(...events) })
  const first = await person.post('/risk/notes', { title: 'told' })
  await person.post('/risk/notes', { title: '' })
  const second = await person.post('/risk/notes', { title: 'told too' })
  const subjects = () => seen.map(({ subject }) => subject)
  // A transaction of anybody else on the same server may hold events back until the next look, a second later.
  const look = () => {
    world.clock.advance(1_000)
    return subjects().includes(second.body.data.id)
  }
  await expect.poll(look).toBe(true)
  stop()
  expect(subjects().slice(-2)).toEqual([first.body.data.id, second.body.data.id])
  expect(seen.at(-1)?.data).toMatchObject({ tenant_id: tenantId, note_id: second.body.data.id })
})

function withoutIds(text: string): string {
  return text.replaceAll(/req_[0-9a-f]{24}/g, 'req').replaceAll(/[0-9a-f-]{36}/g, 'id')
}
