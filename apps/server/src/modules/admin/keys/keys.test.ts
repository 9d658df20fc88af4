import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: OwnWorld
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld({
    environment: {
      PARAPET_NEXT_KEY_ENCRYPTION_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
    },
  })
  tenant = await world.tenant('keys')
})
afterAll(() => world?.close())

const rotate = (client: TestClient, body: object) => client.post('/admin/keys/rotate', body)
const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]
const jwks = async (): Promise<readonly string[]> => {
  const answer = await world.program.app.inject('/.well-known/jwks.json')
  return answer.json().keys.map(({ kid }: { kid: string }) => kid)
}

async function finished(client: TestClient, id: string): Promise<Record<string, unknown>> {
  const read = async () => (await client.get('/admin/jobs', { query: { id } })).body.data[0]
  await expect.poll(async () => (await read()).status).toBe('completed')
  return (await read()).result
}

describe('who may rotate what', () => {
  test('a tenant its own data key, operators everything', async () => {
    for (const purpose of ['token_signing', 'checkpoint_signing', 'kek'])
      expect(told(await rotate(tenant.admin, { purpose, dry_run: true }))).toEqual([403, 'AUTH-004'])
    expect(told(await rotate(await tenant.as('security_admin'), { purpose: 'data' }))).toEqual([403, 'AUTH-004'])
    const other = { purpose: 'data', tenant_id: world.root.id, dry_run: true }
    const nobody = { ...other, tenant_id: '0190a000-0000-7000-8000-00000000000a' }
    expect(told(await rotate(tenant.admin, other))).toEqual([404, 'API-013'])
    expect(told(await rotate(world.operator, nobody))).toEqual([404, 'API-013'])
    const mine = { purpose: 'data', tenant_id: tenant.id, dry_run: true }
    for (const client of [tenant.admin, world.operator])
      expect(expectStatus(await rotate(client, mine), 200).body.data.keys).toMatchObject([{ kid: `${tenant.id}/1` }])
  })

  test('nobody without fresh authentication, unless nothing is changed', async () => {
    const scopes = { name: 'Keys', scopes: ['admin:admin'] }
    const { secret } = expectStatus(await tenant.admin.post('/iam/api-keys', scopes), 201).body.data
    const key = world.stranger.with(secret)
    expect(told(await rotate(key, { purpose: 'data' }))).toEqual([401, 'AUTH-009'])
    expect(told(await rotate(key, { purpose: 'data', dry_run: true }))).toEqual([200, undefined])
  })

  test('nobody what would lose data', async () => {
    for (const purpose of ['checkpoint_signing', 'data', 'kek']) {
      const answer = await rotate(world.operator, { purpose, emergency: true })
      expect([...told(answer), answer.body.errors[0].pointer]).toEqual([400, 'API-001', '/emergency'])
    }
  })
})

describe('the token signing key', () => {
  test('is replaced while 200 clients call, without one refusal', async () => {
    const before = await jwks()
    const clients = [tenant.admin, world.operator, await tenant.as('viewer')]
    const answers = new Map<number, number>()
    const ask = async (n: number): Promise<void> => {
      const { status } = await (clients[n % clients.length] ?? tenant.admin).get('/auth/me')
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
    const crowd = () => Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)))
    for (let n = 0; n < 2; n += 1) {
      const calls = crowd()
      const rotated = rotate(world.operator, { purpose: 'token_signing' })
      await Promise.all([calls, rotated.then(crowd)])
      const { data } = expectStatus(await rotated, 200).body
      expect(data.keys.filter(({ status }: { status: string }) => status === 'active')).toHaveLength(1)
      clients.push(await world.signIn(`admin@${tenant.slug}.example`, tenant.id))
    }
    expect([...answers]).toEqual([[200, 800]])
    for (const client of clients) expect((await client.get('/auth/me')).status).toBe(200)
    // Two that only verify, one that signs, one that will.
    const after = await jwks()
    expect(after).toHaveLength(4)
    expect(after).toEqual(expect.arrayContaining([...before]))
  })

  test('shows what there is without changing it', async () => {
    const before = await jwks()
    const { data } = expectStatus(await rotate(world.operator, { purpose: 'token_signing', dry_run: true }), 200).body
    expect(data).toMatchObject({ rotated: false, job_id: null, sessions_ended: 0 })
    expect(data.keys.map(({ kid }: { kid: string }) => kid).sort()).toEqual([...before].sort())
    expect(await jwks()).toEqual(before)
  })
})

describe('a data key', () => {
  test('is replaced and what it locked is locked anew, and still opens', async () => {
    const { admin, id } = tenant
    const provider = {
      name: 'sample',
      kind: 'openai_compatible',
      base_url: 'http://127.0.0.1:9/v1',
      models: ['sample'],
      secrets: [{ id: 'main', value: 'sk-sample' }],
    }
    expectStatus(await admin.post('/gateway/providers', provider), 201)
    const sealedBy = () =>
      world.kernel.db.read(
        id,
        sql<{ version: number }>`
          select get_byte(ciphertext, 4) as version from gateway_provider_secret where octet_length(ciphertext) > 0`,
      )
    expect(await sealedBy()).toEqual([{ version: 1 }])
    const { data } = expectStatus(await rotate(admin, { purpose: 'data' }), 200).body
    expect(data.keys.map(({ status }: { status: string }) => status)).toEqual(['active', 'retiring'])
    expect(await finished(admin, data.job_id)).toMatchObject({ version: 2 })
    expect(await sealedBy()).toEqual([{ version: 2 }])
    const query = { action: 'admin.keys.rotate' }
    const [entry] = expectStatus(await admin.get('/admin/audit-logs', { query }), 200).body.data
    expect(entry).toMatchObject({ target: 'key:data', after: { purpose: 'data', emergency: false } })
  })

  test('locks nothing that the rotation does not know', async () => {
    const rows = await world.kernel.db.read(
      tenant.id,
      sql<{ place: string }>`
        select c.relname || '.' || a.attname as place
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relrowsecurity and a.atttypid = 'bytea'::regtype
          and a.attnum > 0 and not a.attisdropped`,
    )
    const known = new Set(world.kernel.sealed.map(({ table, column }) => `${table}.${column}`))
    expect(rows.map(({ place }) => place).filter((place) => !known.has(place) && !otherBytes.has(place))).toEqual([])
    const real = new Set(rows.map(({ place }) => place))
    expect([...known].filter((place) => !real.has(place))).toEqual([])
  })
})

/** Bytes that are not under a data key, or are gone within a day. */
const otherBytes = new Set(['tenant_data_key.wrapped', 'idempotency_key.response_body', 'iam_factor.public_key'])

describe('the key-encryption key', () => {
  test('wraps stored keys anew', async () => {
    const dry = expectStatus(await rotate(world.operator, { purpose: 'kek', dry_run: true }), 200).body.data
    expect(dry.keys.map(({ status }: { status: string }) => status)).toEqual(['retiring', 'active'])
    const done = expectStatus(await rotate(world.operator, { purpose: 'kek' }), 200).body.data
    expect(done.rewrapped).toBe(dry.rewrapped)
    expect(expectStatus(await rotate(world.operator, { purpose: 'kek' }), 200).body.data.rewrapped).toBe(0)
    expect((await tenant.admin.get('/auth/me')).status).toBe(200)
  })
})

describe('in an emergency', () => {
  test('C65 the old key is dropped, every session ends, and people sign in again', async () => {
    const refresh = expectStatus(
      await world.stranger.post(
        '/auth/login',
        { email: `admin@${tenant.slug}.example`, password },
        { headers: { 'x-tenant-id': tenant.id } },
      ),
      200,
    ).body.data.refresh_token
    const before = await jwks()
    const { data } = expectStatus(await rotate(world.operator, { purpose: 'token_signing', emergency: true }), 200).body
    expect(data.sessions_ended).toBeGreaterThan(3)
    for (const client of [tenant.admin, world.operator])
      expect(told(await client.get('/auth/me'))).toEqual([401, 'AUTH-002'])
    expect(told(await world.stranger.post('/auth/refresh', { refresh_token: refresh }))).toEqual([401, 'AUTH-002'])
    const kids = await jwks()
    // The one that was published to come is the only one that was known.
    expect(kids.filter((kid) => before.includes(kid))).toHaveLength(1)
    const again = await world.signIn(`admin@${tenant.slug}.example`, tenant.id)
    const sessions = expectStatus(await again.get('/iam/sessions', { query: { limit: '200' } }), 200).body.data
    expect(sessions.filter(({ status }: { status: string }) => status === 'active')).toHaveLength(1)
  })
})
