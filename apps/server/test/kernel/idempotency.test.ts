import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor, TenantId } from '../../src/kernel/access/actor.ts'
import { everyPermission } from '../../src/kernel/access/permissions.ts'
import type { Tx } from '../../src/kernel/db/port.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createIdempotency, type StoredAnswer } from '../../src/kernel/http/idempotency.ts'
import { createFakeClock } from '../../src/kernel/testing/fake-clock.ts'
import type { TestClient } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

let world: NotesWorld
let tenantId: TenantId
let writer: TestClient
let key: string

beforeAll(async () => {
  world = await openNotesWorld()
  tenantId = await world.tenant()
  writer = await world.person(tenantId)
})
afterAll(() => world.close())
beforeEach(() => {
  key = world.kernel.random.uuid()
  world.probe.runs.clear()
  world.probe.gate = Promise.resolve()
  world.probe.arrived = () => undefined
})

const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.kernel.db.tenant({ tenantId }, work)
const withKey = () => ({ headers: { 'idempotency-key': key } })
const create = (client: TestClient, title: string) => client.post('/risk/notes', { title }, withKey())

describe('a request sent again with its key', () => {
  test('gets the first answer, marked, and changes nothing', async () => {
    const first = await create(writer, 'once')
    const again = await create(writer, 'once')
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: first.headers.location,
      etag: first.headers.etag,
    })
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    const notes = await inTenant((tx) => tx.query(sql`select id from test_note where title = 'once'`))
    expect(notes).toHaveLength(1)
  })

  test('and another body, or another route, is refused', async () => {
    await create(writer, 'first')
    expect((await create(writer, 'second')).body).toMatchObject({ status: 409, error_code: 'API-011' })
    expect((await writer.post('/resilience/held', { text: 'first' }, withKey())).status).toBe(409)
    expect(world.probe.runs.size).toBe(0)
  })

  test("by somebody else is somebody else's request", async () => {
    const first = await create(writer, 'mine')
    const others = [
      await world.person(tenantId),
      world.apiKey(tenantId, null),
      await world.person(await world.tenant()),
    ]
    for (const other of others) {
      const answer = await create(other, 'mine')
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined])
      expect(answer.body.data.id).not.toBe(first.body.data.id)
    }
  })

  test.each(['/resilience/held', '/resilience/held-own'])('%s: after a refusal the key is free', async (path) => {
    expect((await writer.post(path, { text: 'refuse' }, withKey())).body.error_code).toBe('RES-001')
    expect((await writer.post(path, { text: 'fine' }, withKey())).status).toBe(201)
  })

  test('a stream cannot be given again, so it is made again', async () => {
    const first = await writer.post('/resilience/streamed', { text: 'x' }, withKey())
    const again = await writer.post('/resilience/streamed', { text: 'x' }, withKey())
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(world.probe.runs.get('streamed')).toBe(2)
  })

  test('changes nothing where nothing is created', async () => {
    const made = await create(writer, 'kept')
    const path = `/risk/notes/${made.body.data.id}`
    expect((await writer.patch(path, { title: 'a' }, withKey())).status).toBe(200)
    expect((await writer.patch(path, { title: 'b' }, withKey())).body.data.title).toBe('b')
  })
})

describe('two at once with one key', () => {
  test('in one transaction: the second waits and gets the first answer', async () => {
    const { arrived, open } = holdHandlers()
    const first = writer.post('/resilience/held', { text: 'x' }, withKey())
    await arrived
    const second = writer.post('/resilience/held', { text: 'x' }, withKey())
    open()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[1].text).toBe(answers[0].text)
    expect(world.probe.runs.get('held')).toBe(1)
  })

  test('with transactions of their own: the second is told to come back, and then gets the first answer', async () => {
    const { arrived, open } = holdHandlers()
    const first = writer.post('/resilience/held-own', { text: 'x' }, withKey())
    await arrived
    const early = await writer.post('/resilience/held-own', { text: 'x' }, withKey())
    expect([early.status, early.body.error_code]).toEqual([409, 'API-011'])
    open()
    const { text } = await first
    const late = await writer.post('/resilience/held-own', { text: 'x' }, withKey())
    expect([late.text, late.headers['idempotency-replayed']]).toEqual([text, 'true'])
    expect(world.probe.runs.get('held-own')).toBe(1)
  })
})

describe('the key itself', () => {
  test.each(['', 'a b', 'é', 'x'.repeat(256)])('%j is refused', async (text) => {
    for (const path of ['/resilience/held', '/resilience/held-own']) {
      const answer = await writer.post(path, { text: 'x' }, { headers: { 'idempotency-key': text } })
      expect([answer.status, answer.body.error_code]).toEqual([400, 'API-001'])
    }
  })

  test('255 characters are taken', async () => {
    key = '~'.repeat(255)
    expect((await create(writer, 'long key')).status).toBe(201)
  })

  test('C63 the stored answer cannot be read in the database', async () => {
    await create(writer, 'a secret title')
    const row = await inTenant((tx) => tx.first(sql`select response_body from idempotency_key where key = ${key}`))
    const stored = Buffer.from(row?.response_body instanceof Uint8Array ? row.response_body : [])
    expect(stored.length).toBeGreaterThan(100)
    expect(stored.includes('a secret title')).toBe(false)
  })
})

describe('time', () => {
  const actor: Actor = {
    kind: 'user',
    userId: '01900000-0000-7000-8000-0000000000aa',
    tenantId: '' as TenantId,
    homeTenantId: '' as TenantId,
    role: 'probe',
    roles: [],
    permissions: everyPermission,
    operator: false,
    sessionId: null,
    keyId: null,
    authTime: null,
    amr: [],
    rateLimitPerMinute: null,
    tenantRequestsPerMinute: null,
    tenantStatus: 'active',
  }
  const answer: StoredAnswer = { status: 201, headers: { etag: '"1-x"' }, body: '{"data":1}' }
  const minutes = 60_000
  const hours = 60 * minutes

  function store() {
    const clock = createFakeClock()
    const keys = createIdempotency({ keys: world.kernel.tenantKeys, clock, uuid: world.kernel.random.uuid })
    const call = { key, route: '/x', actor, digest: 'd' }
    return { clock, begin: () => inTenant((tx) => keys.begin(tx, call)), keys }
  }

  test('an answer is given for 24 hours and then no more', async () => {
    const { clock, begin, keys } = store()
    const held = await begin()
    await inTenant((tx) => keys.finish(tx, 'id' in held ? held.id : '', answer))
    clock.advance(24 * hours - 1)
    expect(await begin()).toEqual(answer)
    clock.advance(1)
    expect(await begin()).toEqual({ id: expect.any(String) })
  })

  test('a key whose holder died is free after 15 minutes, and not before', async () => {
    const { clock, begin, keys } = store()
    const dead = await begin()
    clock.advance(15 * minutes - 1)
    await expect(begin()).rejects.toMatchObject({ code: 'API-011' })
    clock.advance(1)
    const next = await begin()
    expect(next).toEqual({ id: expect.any(String) })
    // The one taken for dead comes back: it may neither free the key of its successor nor answer in its place.
    const deadId = 'id' in dead ? dead.id : ''
    await inTenant((tx) => keys.abandon(tx, deadId))
    await inTenant((tx) => keys.finish(tx, deadId, answer))
    await expect(begin()).rejects.toMatchObject({ code: 'API-011' })
  })

  test('a finished answer is not freed by giving the key up', async () => {
    const { begin, keys } = store()
    const held = await begin()
    const id = 'id' in held ? held.id : ''
    await inTenant((tx) => keys.finish(tx, id, answer))
    await inTenant((tx) => keys.abandon(tx, id))
    expect(await begin()).toEqual(answer)
  })
})

/** Handlers of the `/held` routes wait from now on; `arrived` is done when the first of them has begun. */
function holdHandlers(): { readonly arrived: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  world.probe.gate = new Promise((resolve) => {
    open = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    world.probe.arrived = resolve
  })
  return { arrived, open }
}
