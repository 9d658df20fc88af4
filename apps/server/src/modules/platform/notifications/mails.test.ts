import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import { digestJobKind } from './preferences.ts'

let world: OwnWorld
let sink: MailSink
beforeAll(async () => {
  sink = await openMailSink()
  world = await openWorld({
    environment: { PARAPET_SMTP_URL: sink.url, PARAPET_PUBLIC_URL: 'https://parapet.example' },
  })
})
afterAll(async () => {
  await world?.close()
  await sink?.close()
})

const patience = { timeout: 15_000 }
const { title, ...rest } = {
  ...{ title: 'Look at this', body: 'It is <b>odd</b>.', severity: 'high', category: 'alert' },
  recipients: { permission: 'platform:admin' },
}
const raise = async (body: object = {}) =>
  expectStatus(await world.root.admin.post('/platform/notifications', { title, ...rest, ...body }), 201).body.data
const letters = (words: string) => sink.letters.filter(({ text }) => text.includes(words))
const prefer = async (preferences: object) =>
  expectStatus(await world.root.admin.patch('/platform/notifications', { preferences }), 200)
const deliveryOf = async (id: string) =>
  (
    await world.kernel.db.read(
      world.root.id,
      sql<{ status: string; next_attempt_at: string | null; user_id: string }>`
        select status, next_attempt_at, user_id from platform_delivery where notification_id = ${id}`,
    )
  )[0]

test('a mail has both parts, escaped, and names no sender’s words in its subject', async () => {
  const { id, delivery_ids: ids } = await raise()
  expect(ids).toHaveLength(1)
  await expect.poll(() => letters('Look at this').length, patience).toBe(1)
  const [letter] = letters('Look at this')
  expect(letter?.subject).toBe('Parapet: a notification (high)')
  expect(letter?.html).toContain('It is &lt;b&gt;odd&lt;/b&gt;.')
  await expect.poll(async () => (await deliveryOf(id))?.status, patience).toBe('delivered')
  expect(await raise({ category: 'general' })).toMatchObject({ delivery_ids: [] })
})

test('waits for the end of quiet hours, but for what is critical', async () => {
  const now = world.kernel.clock.now()
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  await prefer({ quiet_hours: { start: clock(now - 3_600_000), end: clock(now + 7_200_000), time_zone: 'UTC' } })
  const { id } = await raise({ title: 'At night' })
  const waits = Date.parse((await deliveryOf(id))?.next_attempt_at ?? '') - now
  expect(waits).toBeGreaterThan(7_000_000)
  await raise({ title: 'At once', severity: 'critical' })
  await expect.poll(() => letters('At once').length, patience).toBe(1)
  expect(letters('At night')).toEqual([])
  await prefer({ quiet_hours: null })
})

test('a digest has all that waited for it, once', async () => {
  await prefer({ digest: 'daily' })
  expect((await raise({ title: 'First of two' })).delivery_ids).toEqual([])
  await raise({ title: 'Second of two' })
  const userId = expectStatus(await world.root.admin.get('/auth/me'), 200).body.data.user.id
  const run = () =>
    world.kernel.db.tenant({ tenantId: world.root.id }, (tx) =>
      tx.enqueue({ kind: digestJobKind, payload: { user_id: userId } }),
    )
  await run()
  await expect.poll(() => letters('First of two').length, patience).toBe(1)
  expect(letters('First of two')[0]?.text).toContain('Second of two')
  const [schedule] = await world.kernel.db.read(
    world.root.id,
    sql<{ next_at: string | null }>`select next_at from schedule where key = ${`digest/${userId}`}`,
  )
  expect(schedule?.next_at).not.toBeNull()
  await prefer({ digest: 'immediate' })
  expect(letters('First of two')).toHaveLength(1)
})

test('one click ends mails of the category of a letter and of no other, without a sign-in', async () => {
  const post = (url: string, fields = 'List-Unsubscribe=One-Click') =>
    world.program.app.inject({
      ...{ method: 'POST', url, payload: fields },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  await raise({ title: 'With a way out' })
  await expect.poll(() => letters('With a way out').length, patience).toBe(1)
  const [letter] = letters('With a way out')
  const head = letter?.head.replaceAll(/\r?\n\s+/g, ' ') ?? ''
  expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const link = new URL(/^List-Unsubscribe: <(https:[^>]+)>$/im.exec(head)?.[1]?.replaceAll(' ', '') ?? '')
  expect(link.origin).toBe('https://parapet.example')
  expect(letter?.text).toContain(link.href)
  const path = `${link.pathname}${link.search}`
  // Scanners of mails open links: that alone ends nothing.
  const asked = await world.program.app.inject({ url: path })
  expect([asked.statusCode, asked.payload.includes('about: <strong>alert</strong>')]).toEqual([200, true])
  const own = async () => (await world.root.admin.get('/platform/notifications')).body.meta.inbox.preferences.matrix
  expect((await own()).alert).toBeUndefined()
  await prefer({ matrix: { alert: { inbox: true } } })
  for (const wrong of [path.slice(0, -1), path.replace('.alert.', '.approval.'), link.pathname])
    expect((await post(wrong)).statusCode).toBe(400)
  expect(await own()).toEqual({ alert: { inbox: true } })
  for (const time of ['first', 'second']) expect([time, (await post(path)).statusCode]).toEqual([time, 200])
  expect(await own()).toEqual({ alert: { inbox: true, email: false } })
  expect(await raise({ title: 'No mail of it' })).toMatchObject({ delivery_ids: [], recipient_count: 1 })
  expect((await raise({ category: 'approval' })).delivery_ids).toHaveLength(1)
})
