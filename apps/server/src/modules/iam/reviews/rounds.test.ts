import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectStatus, type OwnWorld, openWorld } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import type { IamServices } from '../services/iam-services.ts'
import { openReviewDue, remindReviewers } from './rounds.ts'

let world: OwnWorld
let sink: MailSink
let bossId: string
let reportId: string
const boss = 'boss@root.example'

beforeAll(async () => {
  sink = await openMailSink()
  world = await openWorld({ environment: { PARAPET_SMTP_URL: sink.url, PARAPET_MAIL_FROM: 'parapet@example.org' } })
  bossId = await person(boss)
  reportId = await person('report@root.example', bossId)
})
afterAll(async () => {
  await world.close()
  await sink.close()
})

async function person(email: string, manager_id?: string): Promise<string> {
  const role = (await world.operator.get('/iam/roles?q=viewer')).body.data[0].id
  const body = { email, role_ids: [role], delivery: 'password', password: 'first words of a person' }
  const made = await world.operator.post('/iam/users', { ...body, ...(manager_id === undefined ? {} : { manager_id }) })
  return expectStatus(made, 201).body.data.id
}

const dayMs = 86_400_000

/** The services as they are so many days from now. */
function inDays(days: number): IamServices {
  const services = world.program.assembled.modules.servicesOf('iam') as IamServices
  const at = Date.now() + days * dayMs
  const clock = { ...world.kernel.clock, now: () => at, iso: () => new Date(at).toISOString() }
  return { ...services, kernel: { ...services.kernel, clock } }
}

const scope = () => ({ tenantId: world.root.id })
const round = (days: number) => openReviewDue(inDays(days), scope())
const remind = (days: number) => remindReviewers(inDays(days), scope(), new AbortController().signal)
const reviews = async () =>
  expectStatus(await world.operator.get('/iam/access-reviews', { query: { sort: 'created_at' } }), 200).body.data
const settle = async (review_every_days: number | null) =>
  expectStatus(await world.operator.patch(`/iam/tenants/${world.root.id}`, { settings: { review_every_days } }), 200)
const letters = (words: string) => sink.letters.filter(({ to, text }) => to.includes(boss) && text.includes(words))
const reminders = (id: string) =>
  world.kernel.db.read(
    world.root.id,
    sql<{ data: unknown }>`
      select data from outbox where channel = 'iam.access_review.reminded' and subject = ${`access-review/${id}`}
      union all
      select data from event_log where channel = 'iam.access_review.reminded' and subject = ${`access-review/${id}`}`,
  )

test('nothing comes round where nobody asked for it', async () => {
  await round(0)
  expect(await reviews()).toEqual([])
})

test('a review of all access is opened when none was for as long as the tenant says, by one of many at once', async () => {
  await settle(30)
  await Promise.all([round(0), round(0), round(0)])
  const [first, ...others] = await reviews()
  expect(others).toEqual([])
  const me = (await world.operator.get('/auth/me')).body.data.user.id
  expect(first).toMatchObject({
    recurring: true,
    status: 'open',
    opened_by: me,
    on_no_answer: 'keep',
    reminded_at: null,
  })
  const { items } = expectStatus(await world.operator.get(`/iam/access-reviews/${first.id}`), 200).body.data
  const theirs = items.find(({ user_id }: { user_id: string }) => user_id === reportId)
  expect(theirs).toMatchObject({ reviewer_id: bossId, decision: null })
  await vi.waitFor(() => expect(letters('asked to review')).toHaveLength(1), 20_000)
})

test('reviewers are reminded once before the end, and again when it is moved', async () => {
  const [{ id }] = await reviews()
  await remind(5)
  expect(await reminders(id)).toEqual([])
  await remind(12)
  await remind(12)
  const [told, ...more] = await reminders(id)
  expect(more).toEqual([])
  expect(told?.data).toMatchObject({ review_id: id, reviewers: expect.any(Number), undecided: expect.any(Number) })
  await vi.waitFor(() => expect(letters('ends soon')).toHaveLength(1), 20_000)
  expect((await reviews())[0].reminded_at).not.toBeNull()
  const due_at = new Date(Date.now() + 30 * dayMs).toISOString()
  expectStatus(await world.operator.patch(`/iam/access-reviews/${id}`, { due_at }), 200)
  await remind(12)
  expect(await reminders(id)).toHaveLength(1)
  await remind(28)
  expect(await reminders(id)).toHaveLength(2)
})

test('the next one comes when its time is over and the one before is closed', async () => {
  const [{ id }] = await reviews()
  await round(31)
  expect(await reviews()).toHaveLength(1)
  expectStatus(await world.operator.patch(`/iam/access-reviews/${id}`, { status: 'closed' }), 200)
  await round(29)
  expect(await reviews()).toHaveLength(1)
  await round(31)
  const [, second] = await reviews()
  expect(second).toMatchObject({ recurring: true, status: 'open' })
})

test('a review that somebody opened of everybody counts, one of some does not', async () => {
  await settle(7)
  const open = async (more: object) => {
    const body = { name: 'Own', reviewer_rule: 'manager', on_no_answer: 'keep', ...more }
    const due_at = new Date(Date.now() + 90 * dayMs).toISOString()
    return expectStatus(await world.operator.post('/iam/access-reviews', { ...body, due_at }), 201).body.data.id
  }
  const earlier = await reviews()
  // First this one: with none at all the program's own round would open another.
  const whole = await open({})
  for (const { id } of earlier) await world.operator.patch(`/iam/access-reviews/${id}`, { status: 'cancelled' })
  await round(200)
  expect(await reviews()).toHaveLength(earlier.length + 1)
  expectStatus(await world.operator.patch(`/iam/access-reviews/${whole}`, { status: 'cancelled' }), 200)
  const role = (await world.operator.get('/iam/roles?q=viewer')).body.data[0].id
  await open({ scope: { role_ids: [role] } })
  await round(200)
  expect(
    (await reviews()).filter(
      ({ recurring, status }: { recurring: boolean; status: string }) => recurring && status === 'open',
    ),
  ).toHaveLength(1)
})
