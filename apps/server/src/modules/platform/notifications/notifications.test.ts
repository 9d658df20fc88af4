import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('platform-notifications')
})
afterAll(() => world?.close())

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const raise = (body: object = {}) =>
  tenant.admin.post('/platform/notifications', {
    ...{ title: 'Backups are late', body: 'Two of them.', severity: 'high', category: 'general' },
    ...{ recipients: { permission: 'platform:admin' }, ...body },
  })
const made = async (body: object = {}) => expectStatus(await raise(body), 201).body.data
const inbox = async (client = tenant.admin, query: Record<string, string> = {}) =>
  expectStatus(await client.get('/platform/notifications', { query }), 200).body
const mine = async (id: string, client = tenant.admin) =>
  (await inbox(client, { limit: '100' })).data.find((one: { id: string }) => one.id === id)
const mark = (body: object, client = tenant.admin) => client.patch('/platform/notifications', { mark: body })
const prefer = (preferences: object, client = tenant.admin) => client.patch('/platform/notifications', { preferences })

describe('a notification', () => {
  test('reaches those who hold the permission, with an event that names them', async () => {
    const viewer = await tenant.as('viewer')
    const { id, recipient_count: count, delivery_ids: deliveries } = await made()
    expect([count, deliveries]).toEqual([1, []])
    expect(await mine(id)).toMatchObject({ status: 'unread', title: 'Backups are late', count: 1, source: 'api' })
    expect(await mine(id, viewer)).toBeUndefined()
    const [event] = await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.query(sql<{ data: { recipient_user_ids: string[] } }>`
        select data from outbox where subject = ${id} union all select data from event_log where subject = ${id}`),
    )
    expect(event?.data.recipient_user_ids).toHaveLength(1)
  })

  test('without anybody to get it is refused and leaves nothing', async () => {
    expect(told(await raise({ recipients: {} }))).toEqual([422, 'PLAT-001'])
    expect(told(await raise({ recipients: { user_ids: [world.kernel.random.uuid()] } }))).toEqual([422, 'PLAT-001'])
    expect(told(await raise({ recipients: { permission: 'platform:fly' } }))).toEqual([400, 'API-001'])
    expect(told(await raise({ template: 'none' }))).toEqual([422, 'PLAT-002'])
    expect(told(await raise({ body: '{% for i in (1..100000000) %}{% endfor %}', data: {} }))).toEqual([
      422,
      'PLAT-003',
    ])
    expect(told(await raise({ integration_ids: [world.kernel.random.uuid()] }))).toEqual([400, 'API-001'])
    expect((await inbox(tenant.admin, { q: 'nobody' })).data).toEqual([])
  })

  test('never reaches whoever may not read its resource, then or later', async () => {
    const viewer = await tenant.as('viewer')
    const resource = { module: 'iam', type: 'user', id: 'u', url: '/iam/users' }
    expect(told(await raise({ recipients: { roles: ['viewer'] }, resource }))).toEqual([422, 'PLAT-001'])
    const { id } = await made({ recipients: { roles: ['viewer'] }, resource: { ...resource, module: 'risk' } })
    expect(await mine(id, viewer)).toMatchObject({ id })
    // The resource is now one that a viewer may not read.
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`
        update platform_notification set resource = jsonb_set(resource, '{module}', '"admin"') where id = ${id}`),
    )
    expect(await mine(id, viewer)).toBeUndefined()
  })

  test('is raised once for a key within a day, and counted within a group', async () => {
    const first = await made({ dedup_key: 'backup' })
    expect(await made({ dedup_key: 'backup' })).toMatchObject({ id: first.id, deduplicated: true, recipient_count: 0 })
    const group = await made({ group_key: 'late' })
    expectStatus(await mark({ status: 'read', ids: [group.id] }), 200)
    expect(await made({ group_key: 'late', title: 'Backups are late again' })).toMatchObject({ id: group.id, count: 2 })
    expect(await mine(group.id)).toMatchObject({ status: 'unread', count: 2, title: 'Backups are late again' })
  })
})

describe('the inbox', () => {
  test('marks, puts off and archives one’s own copies alone', async () => {
    const { id } = await made({ recipients: { roles: ['tenant_admin', 'viewer'] } })
    const viewer = await tenant.as('viewer')
    expect(expectStatus(await mark({ status: 'archived', ids: [id] }), 200).body.data.updated).toBe(1)
    expect([await mine(id), (await mine(id, viewer))?.status]).toEqual([undefined, 'unread'])
    expect((await inbox(tenant.admin, { status: 'archived' })).data.map((one: { id: string }) => one.id)).toContain(id)
    const past = '2020-01-01T00:00:00.000Z'
    expect(told(await mark({ status: 'snoozed', ids: [id] }))).toEqual([400, 'API-001'])
    expect(told(await mark({ status: 'snoozed', ids: [id], snoozed_until: past }))).toEqual([400, 'API-001'])
    const until = new Date(world.kernel.clock.now() + 3_600_000).toISOString()
    expectStatus(await mark({ status: 'snoozed', ids: [id], snoozed_until: until }, viewer), 200)
    expect(await mine(id, viewer)).toMatchObject({ status: 'snoozed', snoozed_until: until })
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update platform_inbox set snoozed_until = ${past} where id = ${id} and status = 'snoozed'`),
    )
    expect(await mine(id, viewer)).toMatchObject({ status: 'unread', snoozed_until: null })
  })

  test('is read up to one, and counts what is unread', async () => {
    const older = await made({ title: 'Older' })
    const newer = await made({ title: 'Newer', severity: 'critical' })
    const changed = expectStatus(await mark({ status: 'read', up_to_id: older.id }), 200).body.data
    expect([(await mine(older.id)).status, (await mine(newer.id)).status]).toEqual(['read', 'unread'])
    expect(changed.unread).toMatchObject({ critical: 1 })
    const { meta } = await inbox(tenant.admin, { severity: 'critical', q: 'new' })
    expect(meta.inbox.unread.total).toBe(changed.unread.total)
  })

  test('follows the wishes of its person, but for locked categories and what is critical', async () => {
    const muted = { matrix: { general: { inbox: false } } }
    expectStatus(await prefer(muted), 200)
    const { id } = await made()
    const critical = await made({ severity: 'critical' })
    expect([await mine(id), (await mine(critical.id))?.id]).toEqual([undefined, critical.id])
    const locked = await prefer({ matrix: { kill_switch: { inbox: false } } })
    expect(told(locked)).toEqual([422, 'PLAT-004'])
    expect(locked.body.errors[0].pointer).toBe('/preferences/matrix/kill_switch/inbox')
    const quiet = { start: '22:00', end: '07:00', time_zone: 'Mars/Olympus' }
    expect(told(await prefer({ quiet_hours: quiet }))).toEqual([422, 'PLAT-005'])
    expect(told(await prefer({ quiet_hours: { ...quiet, end: '22:00', time_zone: 'UTC' } }))).toEqual([422, 'PLAT-005'])
    const wished = { quiet_hours: { ...quiet, time_zone: 'Europe/Berlin' }, digest: 'daily' }
    const { preferences } = expectStatus(await prefer(wished), 200).body.data
    expect(preferences).toEqual({ ...muted, ...wished, locale: 'en' })
    expectStatus(await prefer({ matrix: { general: { inbox: true } }, quiet_hours: null, digest: 'immediate' }), 200)
  })
})
