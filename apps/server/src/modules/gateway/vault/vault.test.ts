import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ask } from '../testing/support.ts'
import { openValues } from './sealed/sealing.ts'
import { type VaultRow, vaults } from './sealed/tables.ts'
import { shredExpired } from './shredding.ts'

let world: World
let tenant: TestTenant

const text = 'mail rosa.lund@example.org and otto.lund@example.org, card 4111 1111 1111 1111'
const values = ['rosa.lund@example.org', 'otto.lund@example.org', '4111 1111 1111 1111']
const reason = 'A complaint of the customer, case 4711'

beforeAll(async () => {
  world = await openWorld()
  tenant = await tenantWith('vault', { sensitive_data: { retain_in_vault: true } })
})

afterAll(() => world?.close())

async function tenantWith(slug: string, document: object): Promise<TestTenant> {
  const made = await world.tenant(slug)
  const [baseline] = (await made.admin.get('/gateway/policies')).body.data
  const path = `/gateway/policies/${baseline.id}`
  const { latest_version } = (await made.admin.patch(path, { document })).body.data
  await made.admin.post(`${path}/publish`, { version: latest_version })
  return made
}

async function call(client: TestClient, content = text): Promise<string> {
  const { body } = await ask(client, content, { model: 'echo-1' })
  return body.data?.id ?? body.log_id
}

const reveal = (client: TestClient, request_id: string, placeholders: readonly string[], headers = {}) =>
  client.post('/gateway/vault/reveal', { request_id, placeholders, reason }, { headers })

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]

async function rowsOf({ id }: TestTenant): Promise<readonly VaultRow[]> {
  return world.kernel.db.read(id, sql<VaultRow>`select ${vaults.columns} from gateway_vault`)
}

describe('revealing', () => {
  test('shows the values behind placeholders and says how long it may be done', async () => {
    const id = await call(tenant.admin)
    const answer = await reveal(tenant.admin, id, ['⟦EMAIL_2⟧', '⟦CREDIT_CARD_1⟧'])
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body.data.request_id).toBe(id)
    expect(answer.body.data.values).toEqual([
      { placeholder: '⟦EMAIL_2⟧', entity_type: 'EMAIL', value: 'otto.lund@example.org' },
      { placeholder: '⟦CREDIT_CARD_1⟧', entity_type: 'CREDIT_CARD', value: '4111 1111 1111 1111' },
    ])
    const hours = (Date.parse(answer.body.data.expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
  })

  test('C60 leaves an audit entry for each value and an event, and none of them holds a value', async () => {
    const id = await call(tenant.admin)
    await reveal(tenant.admin, id, ['⟦EMAIL_1⟧', '⟦EMAIL_2⟧'])
    const entries = await world.kernel.db.read(
      tenant.id,
      sql<{ after: { placeholder: string }; reason: string }>`
        select after, reason from audit_entry
        where action = 'gateway.vault.reveal' and target = ${`request:${id}`} order by at, id`,
    )
    expect(entries.map(({ after }) => after.placeholder)).toEqual(['⟦EMAIL_1⟧', '⟦EMAIL_2⟧'])
    expect(entries.map((entry) => entry.reason)).toEqual([reason, reason])
    const events = await world.kernel.db.system('test', (tx) =>
      tx.query(sql<{ data: object }>`
        select data from outbox where subject = ${id} and channel = 'gateway.vault.revealed'
        union all select data from event_log where subject = ${id} and channel = 'gateway.vault.revealed'`),
    )
    expect(events[0]?.data).toMatchObject({ log_id: id, entity_types: ['EMAIL'], count: 2, reason, approved_by: null })
    for (const value of values) expect(JSON.stringify([entries, events])).not.toContain(value)
  })

  test('is refused without a fresh proof of identity: API keys have none, sessions lose theirs', async () => {
    const id = await call(tenant.admin)
    const key = (await tenant.admin.post('/iam/api-keys', { name: 'Vault', scopes: ['gateway:admin'] })).body.data
    const answer = await reveal(tenant.admin.with(key.secret), id, ['⟦EMAIL_1⟧'])
    expect(told(answer)).toEqual([401, 'AUTH-009'])
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_user_authentication", max_age=600')
  })

  test('is refused to who is no administrator, also of one’s own call', async () => {
    const engineer = await tenant.as('ai_engineer')
    const id = await call(engineer)
    for (const role of ['ai_engineer', 'auditor'] as const)
      expect(told(await reveal(await tenant.as(role), id, ['⟦EMAIL_1⟧']))).toEqual([403, 'AUTH-004'])
  })

  test('does not reach another tenant’s call', async () => {
    const other = await tenantWith('vault-other', { sensitive_data: { retain_in_vault: true } })
    const id = await call(other.admin)
    expect(told(await reveal(tenant.admin, id, ['⟦EMAIL_1⟧']))).toEqual([404, 'API-013'])
  })

  test('shows all that was asked for or nothing', async () => {
    const id = await call(tenant.admin)
    expect(told(await reveal(tenant.admin, id, ['⟦EMAIL_1⟧', '⟦EMAIL_9⟧']))).toEqual([409, 'GW-028'])
  })

  test('is not kept for a repeated request', async () => {
    const id = await call(tenant.admin)
    const answer = await reveal(tenant.admin, id, ['⟦EMAIL_1⟧'], { 'idempotency-key': 'again' })
    expect(told(answer)).toEqual([400, 'API-001'])
  })
})

describe('what is kept', () => {
  test('C63 holds no value in clear and does not open in the place of another', async () => {
    const made = await tenantWith('vault-bytes', { sensitive_data: { retain_in_vault: true } })
    await call(made.admin)
    const [row] = await rowsOf(made)
    if (row === undefined || row.wrapped_key === null) throw new Error('nothing is kept')
    expect(row.sealed_values.map(({ placeholder }) => placeholder)).toEqual([
      '⟦EMAIL_1⟧',
      '⟦EMAIL_2⟧',
      '⟦CREDIT_CARD_1⟧',
    ])
    for (const value of values) expect(JSON.stringify(row.sealed_values)).not.toContain(value)
    const { id, wrapped_key, sealed_values: sealed } = row
    expect(await openValues(world.kernel, made.id, { id, wrapped_key, values: sealed })).toEqual(values)
    const swapped = sealed.map((value, index) => ({ ...value, sealed: sealed[1 - index]?.sealed ?? value.sealed }))
    await expect(openValues(world.kernel, made.id, { id, wrapped_key, values: swapped })).rejects.toThrow()
    const elsewhere = { id: world.kernel.random.uuid(), wrapped_key, values: sealed }
    await expect(openValues(world.kernel, made.id, elsewhere)).rejects.toThrow()
    await expect(openValues(world.kernel, tenant.id, { id, wrapped_key, values: sealed })).rejects.toThrow()
  })

  test('is nothing where the policy does not say so, keeps no content, or nothing was redacted', async () => {
    const plain = await world.tenant('vault-plain')
    const bare = await tenantWith('vault-bare', {
      sensitive_data: { retain_in_vault: true },
      retention: { level: 'metadata' },
    })
    const id = await call(plain.admin)
    await call(bare.admin)
    expect([await rowsOf(plain), await rowsOf(bare)]).toEqual([[], []])
    expect(told(await reveal(plain.admin, id, ['⟦EMAIL_1⟧']))).toEqual([409, 'GW-028'])
    const before = (await rowsOf(tenant)).length
    await call(tenant.admin, 'nothing to hide but ⟦EMAIL_1⟧')
    expect(await rowsOf(tenant)).toHaveLength(before)
  })

  test('is destroyed when its hours are over and remembered for a while', async () => {
    const made = await tenantWith('vault-shred', { sensitive_data: { retain_in_vault: true, vault_ttl_hours: 2 } })
    const id = await call(made.admin)
    const at = (hours: number) => {
      const now = () => Date.now() + hours * 3_600_000
      return { ...world.kernel, clock: { ...world.kernel.clock, now, iso: () => new Date(now()).toISOString() } }
    }
    await shredExpired(at(1.9), made.id)
    expect((await reveal(made.admin, id, ['⟦EMAIL_1⟧'])).status).toBe(200)
    await shredExpired(at(2.1), made.id)
    expect((await rowsOf(made))[0]).toMatchObject({ wrapped_key: null, sealed_values: [] })
    expect(told(await reveal(made.admin, id, ['⟦EMAIL_1⟧']))).toEqual([403, 'GW-029'])
    await shredExpired(at(2.1 + 31 * 24), made.id)
    expect(await rowsOf(made)).toEqual([])
  })

  test('is not shown past its time, also when nobody has destroyed it', async () => {
    const made = await tenantWith('vault-late', { sensitive_data: { retain_in_vault: true } })
    const id = await call(made.admin)
    await world.kernel.db.tenant({ tenantId: made.id }, (tx) =>
      tx.execute(sql`update gateway_vault set expires_at = now() - interval '1 second'`),
    )
    expect(told(await reveal(made.admin, id, ['⟦EMAIL_1⟧']))).toEqual([403, 'GW-029'])
  })
})
