/** The ledger of consents through the API, and what it does to model calls. */
import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../gateway/testing/upstream.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant
let other: TestTenant
const ann = 'Ann.Able@people.example'

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  ;[tenant, other] = [await world.tenant('consents'), await world.tenant('consents-other')]
  for (const { admin } of [tenant, other]) await addProvider(admin, 'local', upstream)
  expectStatus(await tenant.admin.post('/data-gov/consents', { kind: 'notice', notice: notice() }), 201)
})
afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const notice = (over: object = {}) => ({
  ...{ key: 'shop', title: 'Shop', controller: 'Shop Ltd', withdrawal_method: 'Account page' },
  purposes: [{ purpose: 'personalization' }, { purpose: 'ads', sale_or_sharing: true }],
  ...over,
})
const tell = (event: string, over: object = {}, { admin } = tenant) =>
  admin.post('/data-gov/consents', {
    kind: 'event',
    event: {
      ...{ subject: { aliases: [{ kind: 'email', value: ann }] }, event, purposes: ['personalization'] },
      ...{ method: 'web_form', ...(event === 'given' ? { notice_key: 'shop' } : {}) },
      ...over,
    },
  })
const call = (person = ann, purpose: string | null = 'personalization', { admin } = tenant) =>
  ask(admin, 'Hello.', { metadata: { data_subject: person, ...(purpose === null ? {} : { purpose }) } })
const decision = async (query: object, headers: Record<string, string> = {}) =>
  expectStatus(
    await tenant.admin.get('/data-gov/consents', { query: { decide: 'true', subject: ann, ...query }, headers }),
    200,
  ).body.meta.decision

describe('withdrawal of consent', () => {
  test('stops the next prompt: granted, the call passes; withdrawn, it is refused and no provider is asked', async () => {
    expect((await call()).body.error_code).toBe('GW-005')
    const given = expectStatus(await tell('given'), 201).body.data
    expect(given.records[0]).toMatchObject({ state: 'given', purpose: 'personalization', notice_key: 'shop' })
    expectStatus(await call(ann.toUpperCase()), 200)
    const asked = upstream.received.length
    const withdrawn = expectStatus(await tell('withdrawn'), 201).body.data
    expect(withdrawn.records[0].state).toBe('withdrawn')
    expect(withdrawn.effective_within_ms).toBeLessThanOrEqual(1_000)
    const refused = await call()
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-005'])
    expect(refused.body.detail).toContain('consent-withdrawn')
    expect(upstream.received.length).toBe(asked)
    expectStatus(await tell('given'), 201)
    expectStatus(await call(), 200)
  })

  test('refuses every call that starts after its answer, among many at the same time', async () => {
    const person = 'many@people.example'
    const told = (event: string) => tell(event, { subject: { aliases: [{ kind: 'email', value: person }] } })
    expectStatus(await told('given'), 201)
    const before = Array.from({ length: 10 }, () => call(person))
    expectStatus(await told('withdrawn'), 201)
    const after = await Promise.all(Array.from({ length: 20 }, () => call(person)))
    // Besides the refusal there is the 503 of a busy installation, which lets no call pass either.
    expect(after.filter(({ status }) => status < 400)).toEqual([])
    expect(after.map(({ body }) => body.error_code)).toContain('GW-005')
    await Promise.all(before)
  })

  test('holds on an instance that keeps its own memory once the change feed tells it', async () => {
    const services = world.program.assembled.modules.servicesOf('data-gov') as DataGovServices
    expectStatus(await tell('given'), 201)
    await services.consent.find(tenant.id as never, ann)
    expect(services.consent.known(tenant.id as never, ann)?.purposes.get('personalization')?.state).toBe('given')
    expectStatus(await tell('withdrawn'), 201)
    expect(services.consent.known(tenant.id as never, ann)).toBeUndefined()
    expectStatus(await tell('given'), 201)
  })

  test('leaves other people, other tenants and calls that name nobody alone', async () => {
    expectStatus(await ask(tenant.admin, 'Hello.'), 200)
    expect((await call('bob@people.example')).body.detail).toContain('consent-no-record')
    expect((await call(ann, 'personalization', other)).body.detail).toContain('consent-no-record')
    expect((await call(ann, null)).body.detail).toContain('purpose-missing')
  })
})

describe('the ledger', () => {
  test('keeps keyed hashes of identifiers and no identifier', async () => {
    const rows = await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) =>
      JSON.stringify([
        await tx.query(sql`select * from data_gov_alias`),
        await tx.query(sql`select * from data_gov_consent`),
        await tx.query(sql`select * from data_gov_consent_event`),
        await tx.query(sql`select * from event_log where channel like 'data_gov.%'`),
        await tx.query(sql`select * from audit_entry where action like 'data_gov.%'`),
      ]),
    )
    expect(rows.toLowerCase()).not.toContain('people.example')
  })

  test('lists records with their events, and a receipt that verifies by the public key alone', async () => {
    const query = { subject: ann, include: 'events,receipt', purpose: 'personalization' }
    const [row] = expectStatus(await tenant.admin.get('/data-gov/consents', { query }), 200).body.data
    expect(row.events.map(({ event }: { event: string }) => event).slice(0, 2)).toEqual(['given', 'withdrawn'])
    const [head, payload, signature] = row.receipt.split('.')
    const { kid, alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const jwk = world.kernel.signingKeys.jwks('export').keys.find((key) => key.kid === kid)
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: jwk?.x ?? '' } })
    expect(alg).toBe('EdDSA')
    expect(verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      schema_version: 'ISO/IEC TS 27560:2023',
      record_id: row.id,
      event_state: 'given',
    })
  })

  test('answers the decision with its rule, and Global Privacy Control counts at once', async () => {
    expectStatus(await tell('given', { purposes: ['ads'] }), 201)
    expect(await decision({ purpose: 'ads' })).toMatchObject({ allow: true, rule: 'consent' })
    expect(await decision({ purpose: 'ads' }, { 'sec-gpc': '1' })).toMatchObject({
      allow: false,
      rule: 'privacy_control',
    })
    expect(await decision({ purpose: 'research' })).toMatchObject({ allow: false, rule: 'no_record' })
    expectStatus(await tell('requested', { purposes: ['ads'], gpc: true }), 201)
    expect((await decision({ purpose: 'ads' })).allow).toBe(false)
  })

  test('asks again after a material change of the notice, and not after another one', async () => {
    const publish = (over: object) => tenant.admin.post('/data-gov/consents', { kind: 'notice', notice: notice(over) })
    const made = expectStatus(await publish({ material_change: false }), 201).body.data.notice
    expect(made).toMatchObject({ edition: 2, material_change: false, status: 'current' })
    expect((await decision({ purpose: 'personalization' })).allow).toBe(true)
    expectStatus(await publish({}), 201)
    expect(await decision({ purpose: 'personalization' })).toMatchObject({ allow: false, rule: 'notice_outdated' })
    expect((await call()).body.detail).toContain('consent-notice-outdated')
  })

  test('follows the order in which events happened', async () => {
    const person = { aliases: [{ kind: 'email', value: 'late@people.example' }] }
    const at = (minute: number) => ({
      subject: person,
      occurred_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    })
    expectStatus(await tell('given', at(10)), 201)
    expectStatus(await tell('given', at(1)), 201)
    const late = expectStatus(await tell('withdrawn', at(5)), 201).body.data
    expect(late.records[0].state).toBe('given')
  })

  test('takes another legal basis, and a batch whole or not at all', async () => {
    const event = (value: string, over: object = {}) => ({
      ...{ subject: { aliases: [{ kind: 'email', value }] }, event: 'given', purposes: ['billing'] },
      ...{ basis: 'contract', method: 'contract', ...over },
    })
    const batch = (events: object[]) => tenant.admin.post('/data-gov/consents', { kind: 'batch', events })
    const made = expectStatus(await batch([event('c1@people.example'), event('c2@people.example')]), 201).body.data
    expect(made.records).toHaveLength(2)
    const refused = await batch([event('c3@people.example'), event('c4@people.example', { event: 'withdrawn' })])
    expect([refused.status, refused.body.error_code, refused.body.errors[0].pointer]).toEqual([
      409,
      'DGOV-009',
      '/events/1/event',
    ])
    expectStatus(await call('c1@people.example', 'billing'), 200)
    expect((await call('c3@people.example', 'billing')).body.detail).toContain('no-record')
  })

  test.each([
    ['an unknown notice', { notice_key: 'nothing' }, 422, 'DGOV-008', '/event/notice_key'],
    ['a purpose that the notice does not have', { purposes: ['selling'] }, 422, 'DGOV-008', '/event/purposes/0'],
    ['no notice', { notice_key: undefined }, 422, 'DGOV-008', '/event/notice_key'],
    ['a time ahead', { occurred_at: '2999-01-01T00:00:00Z' }, 400, 'API-001', '/event/occurred_at'],
  ])('refuses %s', async (_, over, status, code, pointer) => {
    const answer = await tell('given', over)
    expect([answer.status, answer.body.error_code, answer.body.errors[0].pointer]).toEqual([status, code, pointer])
  })

  test('refuses identifiers of two people', async () => {
    const aliases = [
      { kind: 'email', value: 'c1@people.example' },
      { kind: 'email', value: 'c2@people.example' },
    ]
    expect((await tell('given', { subject: { aliases } })).body.error_code).toBe('DGOV-010')
  })
})

describe('lineage down to the model', () => {
  test('a call that names its datasets leads from them to the provider and its model', async () => {
    const datasets = 'warehouse|crm.customers, warehouse|crm.orders'
    expectStatus(await ask(tenant.admin, 'Hello.', { metadata: { datasets } }), 200)
    const query = { node: 'warehouse|crm.customers', mode: 'impact' }
    const { impact } = expectStatus(await tenant.admin.get('/data-gov/lineage/graph', { query }), 200).body.data
    expect(impact.by_kind.model).toBe(1)
    expect(impact.sinks[0]).toMatchObject({ kind: 'model', namespace: 'local', depth: 1 })
    const back = { node: impact.sinks[0].id, direction: 'upstream' }
    const { nodes } = expectStatus(await tenant.admin.get('/data-gov/lineage/graph', { query: back }), 200).body.data
    expect(nodes.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['crm.customers', 'crm.orders']),
    )
  })

  test('a dataset above the allowed level refuses the call, also by labels that it inherits', async () => {
    const scan = {
      source: {
        kind: 'inline',
        namespace: 'warehouse',
        name: 'raw.cards',
        columns: [{ name: 'card', values: ['4111 1111 1111 1111'] }],
      },
    }
    expectStatus(await tenant.admin.post('/data-gov/classification/scans', scan), 201)
    const event = {
      ...{ eventType: 'COMPLETE', eventTime: '2026-05-01T00:00:00Z', producer: 'https://e.example/p' },
      ...{
        schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json',
        run: { runId: '11111111-1111-4111-8111-111111111111' },
      },
      ...{ job: { namespace: 'etl', name: 'cards' }, inputs: [{ namespace: 'warehouse', name: 'raw.cards' }] },
      outputs: [{ namespace: 'warehouse', name: 'mart.cards' }],
    }
    expectStatus(await tenant.admin.post('/data-gov/lineage', event), 201)
    const metadata = { datasets: 'warehouse|mart.cards' }
    expectStatus(await ask(tenant.admin, 'Hello.', { metadata }), 200)
    const set = (value: string) =>
      tenant.admin.patch('/admin/config', { values: { 'data_gov.model_max_level': value }, comment: 'Test' })
    expectStatus(await set('internal'), 200)
    const refused = await ask(tenant.admin, 'Hello.', { metadata })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-005'])
    expect(refused.body.detail).toContain('data-level')
    expectStatus(await set('restricted'), 200)
    expectStatus(await ask(tenant.admin, 'Hello.', { metadata }), 200)
  })
})
