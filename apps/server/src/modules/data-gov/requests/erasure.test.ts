/**
 * The erasure of a person who is everywhere: planted, found, exported, erased, and looked for in every table of the
 * database, in the files of the blob store and in the certificate's own search.
 */
import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, type OwnWorld, openWorld, password, type TestTenant } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { modules } from '../../../modules.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../gateway/testing/upstream.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { filesHold, tracesIn } from '../testing/traces.ts'
import { replayErasures } from './replay.ts'

/** Her number as a customer, which no detector knows and no policy hides. */
const customer = 'customer-4711-z5u'
const address = 'wilhelmina.planted.z7q@canary.example'
const agent = 'PlantedBrowser/z8r'
const canaries = [address, agent, 'Wilhelmina Planted-z7q', 'planted-note-z9s', 'Planted Notebook z6t', customer]

let database: TestDatabase
let world: OwnWorld
let tenant: TestTenant
let admin: TestClient
let second: TestClient
let upstream: Upstream
let her: { id: string; client: TestClient }

beforeAll(async () => {
  database = await openTestDatabase(schemaOf(modules))
  world = await openWorld({ database, environment: { PARAPET_LOG_LEVEL: 'silent' } })
  tenant = await world.tenant('planted')
  admin = tenant.admin
  second = await tenant.as('compliance_officer')
  await ownCredentials(world, tenant.id)
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  await addProvider(admin, 'local', upstream)
})
afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

/** Prompts of the tenant that hold her address, opened. */
async function prompts(): Promise<number> {
  const services = world.program.assembled.modules.servicesOf('data-gov') as DataGovServices
  const { searchEverywhere } = await import('./search.ts')
  const found = await searchEverywhere(services.kernel, {
    ...{
      tenantId: tenant.id as never,
      values: [customer],
      runId: '00000000-0000-4000-8000-000000000000',
      withFiles: true,
    },
  })
  const keys = found.mentions.find(({ table }) => table.name === 'gateway_request_payload')?.keys ?? []
  return keys.length
}

const act = (run: string, action: string, more: object = {}, by = admin) =>
  by.post('/data-gov/retention-runs', { run_id: run, action, ...more })
const open = async (type: string) =>
  expectStatus(
    await admin.post('/data-gov/retention-runs', {
      ...{ kind: 'subject_request', request_type: type },
      subject: {
        aliases: [
          { kind: 'email', value: address },
          { kind: 'external_id', value: customer },
        ],
      },
    }),
    201,
  ).body.data.id as string
const ended = async (id: string, status: string) => {
  const now = async () => expectStatus(await admin.get('/data-gov/retention-runs', { query: { id } }), 200).body.data[0]
  await expect.poll(async () => (await now()).status, { timeout: 60_000 }).toBe(status)
  return now()
}
const identity = { identity: { method: 'signed letter' } }

async function plant(): Promise<void> {
  const roles = expectStatus(await admin.get('/iam/roles', { query: { q: 'tenant_admin' } }), 200).body.data
  const headers = { headers: { 'idempotency-key': 'plant-her' } }
  const body = { email: address, display_name: canaries[2], role_ids: [roles[0].id], delivery: 'invite' }
  const made = expectStatus(await admin.post('/iam/users', body, headers), 201).body
  const token = String(made.meta?.invitation_url ?? made.data.invitation_url).split('#')[1]
  const from = { headers: { 'user-agent': agent } }
  expectStatus(await world.stranger.post('/auth/invitations/accept', { token, password }, from), 200)
  const tokens = expectStatus(await world.stranger.post('/auth/login', { email: address, password }, from), 200).body
    .data
  her = { id: made.data.id, client: world.stranger.with(tokens.access_token) }
  expectStatus(await her.client.patch('/auth/me', { display_name: canaries[2] }, from), 200)
  expectStatus(await her.client.post('/auth/mfa/totp', { name: canaries[4] }, from), 200)
  expectStatus(await her.client.post('/iam/api-keys', { name: canaries[4], scopes: ['iam:read'] }, from), 201)
  const call = expectStatus(await ask(her.client, `I am ${customer}.`), 200).body.data
  const word = { kind: 'answer', rating: 1, comment: canaries[3] }
  expectStatus(await her.client.post(`/gateway/requests/${call.id}/feedback`, word, from), 201)
  // Of somebody else, about her: no column says so.
  expectStatus(await ask(admin, `Draft a letter to ${customer}.`), 200)
  const event = {
    ...{ subject: { aliases: [{ kind: 'email', value: address }] }, event: 'given', purposes: ['service'] },
    ...{ basis: 'contract', method: 'contract' },
  }
  expectStatus(await admin.post('/data-gov/consents', { kind: 'event', event }), 201)
  await world.stranger.post('/auth/login', { email: address, password: 'wrong' }, from)
}

describe('a planted person', () => {
  let places: readonly string[]

  test('is in many places, in clear and encrypted', async () => {
    await plant()
    await expect.poll(prompts, { timeout: 20_000 }).toBe(2)
    places = await tracesIn(database.driver, canaries)
    expect(places).toEqual(expect.arrayContaining(['iam_user', 'iam_session', 'audit_personal', 'iam_api_key']))
  })

  test('is found and exported', async () => {
    const id = await open('access')
    expectStatus(await act(id, 'verify_identity', identity), 201)
    await ended(id, 'completed')
    const accept = { headers: { accept: 'application/x-ndjson' }, query: { id } }
    const { text } = expectStatus(await admin.get('/data-gov/retention-runs', accept), 200)
    const tables = new Set(
      text
        .trimEnd()
        .split('\n')
        .map((line: string) => JSON.parse(line).table)
        .filter(Boolean),
    )
    expect([...tables]).toEqual(
      expect.arrayContaining([
        'iam_user',
        'iam_session',
        'gateway_request',
        'gateway_request_payload',
        'gateway_feedback',
        'audit_entry',
        'data_gov_consent',
      ]),
    )
    expect(text).toContain(`I am ${customer}.`)
    expect(text).not.toContain('Draft a letter')
    // The account, what it signed in with and did, her prompt, the prompt about her, consent, and the export itself.
    const kinds = new Set([...places, ...tables, 'prompt of another person', 'export'])
    expect(kinds.size).toBeGreaterThanOrEqual(12)
  })

  test('is erased with a certificate that searched again by other paths, and is nowhere any more', async () => {
    const id = await open('erasure')
    const plan = expectStatus(await act(id, 'verify_identity', identity), 201).body.data
    expect(plan.plan.find(({ table }: { table: string }) => table === 'iam_session')).toMatchObject({ to_keep: [] })
    expect((await act(id, 'approve', {}, admin)).body.error_code).toBe('DGOV-013')
    expectStatus(await admin.delete(`/iam/users/${her.id}`), 200)
    expectStatus(await act(id, 'approve', {}, second), 201)
    const done = await ended(id, 'completed')
    expect(done.verification).toMatchObject({ residue: [] })
    expect(done.verification.tables).toBe(world.kernel.tables.filter(({ scope }) => scope === 'tenant').length)
    expect(done.verification.sealed_values).toBeGreaterThan(0)
    const rows = (table: string) => done.results.find((one: { table: string }) => one.table === table)?.rows
    expect(rows('gateway_request_payload')).toBe(2)
    expect(rows('iam_user')).toBe(1)
    expect(await tracesIn(database.driver, canaries)).toEqual([])
    expect(await prompts()).toBe(0)
    expect(await filesHold(world.kernel.config.dataDir, canaries)).toBe(false)
    const [head, payload, signature] = done.certificate.split('.')
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const jwk = world.kernel.signingKeys.jwks('export').keys.find((key) => key.kid === kid)
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: jwk?.x ?? '' } })
    expect(verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
    const statement = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(statement).toMatchObject({
      form: 'parapet/erasure-certificate/1',
      run_id: id,
      status: 'completed',
      retained: [],
    })
    expect(statement.erased).toEqual(done.results)
  })

  test('is refused by the gateway and by the ledger of consents from then on', async () => {
    const metadata = { data_subject: address, purpose: 'service' }
    expect((await ask(admin, 'Hello.', { metadata })).body.detail).toContain('consent-erased')
    const event = {
      subject: { aliases: [{ kind: 'email', value: address }] },
      event: 'given',
      purposes: ['service'],
      basis: 'contract',
      method: 'x',
    }
    expect((await admin.post('/data-gov/consents', { kind: 'event', event })).body.error_code).toBe('DGOV-017')
  })

  test('is erased again where a restore brings rows back', async () => {
    const services = world.program.assembled.modules.servicesOf('data-gov') as DataGovServices
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`
        insert into audit_personal (entry_id, subject_id, salt, opened)
        values (${world.kernel.random.uuid()}, ${her.id}, 'salt', ${JSON.stringify({ '/email': address })}::jsonb)`),
    )
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update data_gov_subject set status = 'active'`),
    )
    expect(await tracesIn(database.driver, canaries)).toEqual(['audit_personal'])
    expect(await replayErasures(services, tenant.id as never)).toBe(1)
    expect(await tracesIn(database.driver, canaries)).toEqual([])
    const metadata = { data_subject: address, purpose: 'service' }
    expect((await ask(admin, 'Hello.', { metadata })).body.detail).toContain('consent-erased')
  })
})
