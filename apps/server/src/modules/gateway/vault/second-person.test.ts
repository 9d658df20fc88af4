import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { ask } from '../testing/support.ts'

interface People {
  readonly id: TenantId
  readonly slug: string
  readonly admin: TestClient
  readonly second: TestClient
  readonly auditor: TestClient
}

let world: World
let tenant: People
let second: TestClient

const value = 'ines.moor@example.org'
const reason = 'A complaint of the customer, case 4712'

beforeAll(async () => {
  world = await openWorld()
  tenant = await demanding('two-people')
  second = tenant.second
})

afterAll(() => world?.close())

/** A tenant that keeps values and wants two people for each of them. */
async function demanding(name: string): Promise<People> {
  const { id, slug, admin, as } = await world.tenant(name, { vault_second_person: true })
  await onlyPolicy({ admin }, { sensitive_data: { retain_in_vault: true } })
  const people = { second: await as('security_admin'), auditor: await as('auditor') }
  await ownCredentials(world, id)
  return { id, slug, admin, ...people }
}

async function call(client: TestClient): Promise<string> {
  return (await ask(client, `mail ${value} or bo.${value}`, { model: 'echo-1' })).body.data.id
}

interface Asked {
  readonly id: string
  readonly placeholders?: readonly string[]
  readonly token?: string
}

function reveal(client: TestClient, { id, placeholders = ['⟦EMAIL_1⟧'], token }: Asked): Promise<TestAnswer> {
  const confirm = token === undefined ? {} : { confirm_token: token }
  return client.post('/gateway/vault/reveal', { request_id: id, placeholders, reason, ...confirm })
}

const told = ({ status, body }: TestAnswer) => [status, body.error_code]
const refused = [403, 'GW-029']

async function tokenOf(client: TestClient, asked: Asked): Promise<string> {
  const answer = await reveal(client, asked)
  expect(told(answer)).toEqual(refused)
  expect(answer.text).not.toContain(value)
  return answer.body.confirm_token
}

test('values are shown to the second of two people who ask for the same', async () => {
  const id = await call(tenant.admin)
  const token = await tokenOf(tenant.admin, { id })
  const answer = expectStatus(await reveal(second, { id, token }), 200)
  expect(answer.body.data.values).toEqual([{ placeholder: '⟦EMAIL_1⟧', entity_type: 'EMAIL', value }])
})

test('both people are in the audit log and in the event', async () => {
  const id = await call(tenant.admin)
  const token = await tokenOf(tenant.admin, { id })
  await reveal(second, { id, token })
  const entries = await world.kernel.db.read(
    tenant.id,
    sql<{ result: string; user_id: string; after: { approved_by?: string } }>`
      select result, user_id, after from audit_entry
      where action = 'gateway.vault.reveal' and target = ${`request:${id}`} order by at, id`,
  )
  const [first, shown] = entries
  expect(entries.map(({ result }) => result)).toEqual(['refused', 'success'])
  expect(shown?.after.approved_by).toBe(first?.user_id)
  const [event] = await world.kernel.db.system('test', (tx) =>
    tx.query(sql<{ data: object }>`
      select data from outbox where subject = ${id} and channel = 'gateway.vault.revealed'
      union all select data from event_log where subject = ${id} and channel = 'gateway.vault.revealed'`),
  )
  expect(event?.data).toMatchObject({ by: shown?.user_id, approved_by: first?.user_id })
  expect(shown?.user_id).not.toBe(first?.user_id)
})

test('one person is one person, however often it asks and in whatever session', async () => {
  const id = await call(tenant.admin)
  const token = await tokenOf(tenant.admin, { id })
  const again = await world.signIn(`admin@${tenant.slug}.example`, tenant.id)
  for (const client of [tenant.admin, again]) expect(told(await reveal(client, { id, token }))).toEqual(refused)
})

test('what the first person did not ask for is not confirmed', async () => {
  const id = await call(tenant.admin)
  const token = await tokenOf(tenant.admin, { id })
  const more = ['⟦EMAIL_1⟧', '⟦EMAIL_2⟧']
  expect(told(await reveal(second, { id, token, placeholders: more }))).toEqual(refused)
  expect(told(await reveal(second, { id, token, placeholders: ['⟦EMAIL_2⟧'] }))).toEqual(refused)
  expect(told(await reveal(second, { id: await call(tenant.admin), token }))).toEqual(refused)
  expect(told(await reveal(second, { id, token: `${token}x` }))).toEqual(refused)
  const both = await tokenOf(tenant.admin, { id, placeholders: more })
  expect((await reveal(second, { id, token: both, placeholders: more })).status).toBe(200)
  expect(told(await reveal(second, { id, token: both, placeholders: more }))).toEqual(refused)
})

test('the second person needs what the first one needs', async () => {
  const id = await call(tenant.admin)
  const token = await tokenOf(tenant.admin, { id })
  expect(told(await reveal(tenant.auditor, { id, token }))).toEqual([403, 'AUTH-004'])
  const key = (await second.post('/iam/api-keys', { name: 'Second', scopes: ['gateway:admin'] })).body.data
  expect(told(await reveal(world.stranger.with(key.secret), { id, token }))).toEqual([401, 'AUTH-009'])
})

test('a token of another tenant confirms nothing', async () => {
  const other = await demanding('two-people-other')
  const id = await call(other.admin)
  const token = await tokenOf(tenant.admin, { id: await call(tenant.admin) })
  expect(told(await reveal(other.admin, { id, token }))).toEqual(refused)
})
