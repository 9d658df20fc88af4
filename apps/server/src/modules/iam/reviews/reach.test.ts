import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, password } from '../../../../test/support/world.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'
import { roleId } from '../sso/testing/sso-world.ts'

let world: OwnWorld
let sink: MailSink
let admin: TestClient
let made = 0

beforeAll(async () => {
  sink = await openMailSink()
  world = await openWorld({ environment: { PARAPET_SMTP_URL: sink.url } })
  admin = world.root.admin
  const permissions = ['iam:admin', 'trust:read']
  expectStatus(await admin.post('/iam/roles', { name: 'Narrow administrator', permissions }), 201)
  expectStatus(await admin.post('/iam/roles', { name: 'Onlooker', permissions: ['trust:read'] }), 201)
})
afterAll(async () => {
  await world.close()
  await sink.close()
})

interface Person {
  readonly id: string
  readonly email: string
  readonly client: TestClient
}

async function person(role: string, more: object = {}): Promise<Person> {
  made += 1
  const email = `p${made}@root.example`
  const body = { email, role_ids: [await roleId(admin, role)], ...more }
  const { id } = expectStatus(await admin.post('/iam/users', body), 201).body.data
  const link = () => /invite#(\S+)/.exec(sink.newestTo(email)?.text ?? '')?.[1]
  await expect.poll(link).toBeDefined()
  expectStatus(await world.stranger.post('/auth/invitations/accept', { token: link(), password }), 200)
  return { id, email, client: await world.signIn(email) }
}

const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
async function review(more: object = {}): Promise<string> {
  const body = { name: 'Quarter', reviewer_rule: 'manager', due_at: later(7), on_no_answer: 'revoke', ...more }
  return expectStatus(await admin.post('/iam/access-reviews', body), 201).body.data.id
}
const itemOf = async (id: string, userId: string): Promise<TestAnswer['body']> => {
  const query = { limit: '200' }
  const { items } = expectStatus(await admin.get(`/iam/access-reviews/${id}`, { query }), 200).body.data
  return items.find((item: { user_id: string }) => item.user_id === userId)
}
const change = (client: TestClient, id: string, body: object) => client.patch(`/iam/access-reviews/${id}`, body)
const said = ({ status, body }: TestAnswer) => [status, body.error_code]

it('C14 lends nobody the rights of who opened it', async () => {
  const [greater, lesser, narrow] = [
    await person('tenant_admin'),
    await person('Onlooker'),
    await person('Narrow administrator'),
  ]
  const id = await review()
  const [above, below] = [(await itemOf(id, greater.id)).id, (await itemOf(id, lesser.id)).id]
  const decide = (item_id: string, decision = 'revoke') =>
    change(narrow.client, id, { decisions: [{ item_id, decision }] })
  expect(said(await decide(above))).toEqual([403, 'IAM-003'])
  const hand = { reassign: [{ item_id: above, reviewer_id: narrow.id }] }
  expect(said(await change(narrow.client, id, hand))).toEqual([403, 'IAM-003'])
  expect(said(await change(narrow.client, id, { status: 'closed' }))).toEqual([403, 'IAM-003'])
  expect(said(await change(narrow.client, id, { due_at: later(1) }))).toEqual([403, 'IAM-003'])
  expect(await itemOf(id, greater.id)).toMatchObject({
    decision: null,
    reviewer_id: expect.not.stringMatching(narrow.id),
  })
  expectStatus(await change(narrow.client, id, { due_at: later(9) }), 200)
  expectStatus(await decide(below), 200)
  expect((await admin.get(`/iam/users/${lesser.id}`)).body.data.role_ids).toEqual([])
  expectStatus(await decide(above, 'keep'), 200)
  expect((await admin.get(`/iam/users/${greater.id}`)).body.data.role).toBe('tenant_admin')
  expectStatus(await change(admin, id, { status: 'cancelled' }), 200)
})

it('is decided by no manager who has left, and what a leaver had to decide goes to who opened it', async () => {
  const [gone, boss] = [await person('Onlooker'), await person('Onlooker')]
  const [one, two] = [
    await person('Onlooker', { manager_id: gone.id }),
    await person('Onlooker', { manager_id: boss.id }),
  ]
  expectStatus(await admin.delete(`/iam/users/${gone.id}`), 200)
  const id = await review({ on_no_answer: 'keep' })
  const opener = (await admin.get('/auth/me')).body.data.user.id
  expect((await itemOf(id, one.id)).reviewer_id).toBe(opener)
  expect((await itemOf(id, two.id)).reviewer_id).toBe(boss.id)
  expectStatus(await admin.delete(`/iam/users/${boss.id}`), 200)
  expect((await itemOf(id, two.id)).reviewer_id).toBe(opener)
  expectStatus(await change(admin, id, { status: 'cancelled' }), 200)
})

it('goes with the roles of a leaver to whom they are handed', async () => {
  const [boss, heir] = [await person('Onlooker'), await person('Onlooker')]
  const report = await person('Onlooker', { manager_id: boss.id })
  const owned = { name: 'Owned', permissions: ['trust:read'], owner_id: boss.id }
  const role = expectStatus(await admin.post('/iam/roles', owned), 201).body.data.id
  const id = await review({ on_no_answer: 'keep' })
  const leave = (transfer_to: string) => admin.delete(`/iam/users/${boss.id}`, { query: { transfer_to } })
  expect(said(await leave(boss.id))).toEqual([400, 'API-001'])
  expectStatus(await leave(heir.id), 200)
  expect((await itemOf(id, report.id)).reviewer_id).toBe(heir.id)
  expect((await admin.get(`/iam/roles/${role}`)).body.data.owner_id).toBe(heir.id)
  expect((await admin.get(`/iam/users/${boss.id}`)).body.data.status).toBe('deactivated')
  expectStatus(await change(admin, id, { status: 'cancelled' }), 200)
})

it('C14 is handed to nobody by somebody who could not touch the people in it', async () => {
  const [reviewer, narrow] = [await person('Onlooker'), await person('Narrow administrator')]
  const greater = await person('tenant_admin', { manager_id: reviewer.id })
  const id = await review()
  const leave = (query: Record<string, string>) => narrow.client.delete(`/iam/users/${reviewer.id}`, { query })
  expect(said(await leave({ transfer_to: narrow.id }))).toEqual([403, 'IAM-003'])
  expect((await itemOf(id, greater.id)).reviewer_id).toBe(reviewer.id)
  expectStatus(await leave({}), 200)
  expect((await itemOf(id, greater.id)).reviewer_id).not.toBe(narrow.id)
  expectStatus(await change(admin, id, { status: 'cancelled' }), 200)
})

it('is found by its reviewers, who may see no list of reviews, and who gets an item later is told', async () => {
  const [boss, deputy] = [await person('Onlooker'), await person('Onlooker')]
  const report = await person('Onlooker', { manager_id: boss.id })
  const waiting = async (who: Person) => (await who.client.get('/auth/me')).body.data.access_reviews
  expect(await waiting(boss)).toEqual([])
  const id = await review({ on_no_answer: 'keep', name: 'Found' })
  expect((await boss.client.get('/iam/access-reviews')).status).toBe(403)
  expect(await waiting(boss)).toMatchObject([{ id, name: 'Found', undecided: 1 }])
  await expect.poll(() => sink.textsTo(boss.email)).toContainEqual(expect.stringContaining(`/access-reviews/${id}`))
  const item_id = (await itemOf(id, report.id)).id
  expectStatus(await change(admin, id, { reassign: [{ item_id, reviewer_id: deputy.id }] }), 200)
  await expect.poll(() => sink.textsTo(deputy.email)).toContainEqual(expect.stringContaining(`/access-reviews/${id}`))
  expect([await waiting(boss), (await waiting(deputy)).length]).toEqual([[], 1])
  expectStatus(await change(deputy.client, id, { decisions: [{ item_id, decision: 'keep' }] }), 200)
  expect(await waiting(deputy)).toEqual([])
})
