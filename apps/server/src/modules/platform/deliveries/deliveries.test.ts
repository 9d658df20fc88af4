import { createServer, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { closeAll, listen } from '../../../kernel/egress/testing/upstream.ts'
import { type MailSink, openMailSink } from '../../../kernel/mail/testing/mail-sink.ts'

interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let world: World
let tenant: TestTenant
let url: string
let sink: MailSink
const received: Received[] = []
/** Statuses of the next answers by path. */
const answers = new Map<string, number[]>()

beforeAll(async () => {
  sink = await openMailSink()
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({ path, headers: request.headers as never, body: Buffer.concat(pieces).toString() })
      response.writeHead(answers.get(path)?.shift() ?? 200).end(`said at ${path}`)
    })
  })
  url = `http://127.0.0.1:${await listen(server)}`
  world = await openWorld()
  tenant = await world.tenant('platform-deliveries')
})
afterAll(async () => {
  await world?.close()
  await sink?.close()
  await closeAll()
})

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const save = (body: object) => tenant.admin.post('/platform/integrations', body)
const webhook = async (name: string, rest: object = {}) =>
  expectStatus(await save({ name, kind: 'webhook', config: { url: `${url}/${name}` }, ...rest }), 201).body.data
const at = (path: string) => received.filter((one) => one.path === `/${path}`)
const send = (id: string, body: object) => tenant.admin.post(`/platform/integrations/${id}/deliveries`, body)
const log = async (id: string, query: Record<string, string> = {}) =>
  expectStatus(await tenant.admin.get(`/platform/integrations/${id}/deliveries`, { query }), 200).body.data
const shown = async (id: string) =>
  expectStatus(await tenant.admin.get('/platform/integrations', { query: { id } }), 200).body.data[0]
/** An event of the tenant: a kill switch on nobody's key. */
async function happen(): Promise<string> {
  const { id } = expectStatus(
    await tenant.admin.post('/iam/api-keys', { name: 'Of nobody', scopes: ['trust:read'] }),
    201,
  ).body.data
  const reason = 'A key that nobody uses'
  return expectStatus(await tenant.admin.post('/gateway/kill-switches', { scope: 'key', value: id, reason }), 201).body
    .data.id
}
const execute = (statement: ReturnType<typeof sql>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.execute(statement))

/** The pause before the next attempts of an integration is over. */
async function hurry(id: string): Promise<void> {
  await execute(sql`update platform_integration set paused_until = null where id = ${id}`)
  await execute(sql`
    update platform_delivery set next_attempt_at = now() where integration_id = ${id} and status in ('pending', 'retrying')`)
  await execute(sql`
    update job set run_at = now() where kind = 'platform.delivery' and key = ${id} and status = 'waiting'`)
}

describe('an integration', () => {
  test('has versions by its name, guarded against lost updates, and never shows a credential', async () => {
    const first = await webhook('versions')
    expect(first).toMatchObject({ version: 1, status: 'active', secret: expect.stringMatching(/^whsec_/) })
    const again = { name: 'versions', kind: 'webhook' }
    expect(told(await save({ ...again, expected_version: 7 }))).toEqual([409, 'PLAT-011'])
    const paused = expectStatus(await save({ ...again, status: 'paused', expected_version: 1 }), 201).body.data
    expect(paused).toMatchObject({ id: first.id, version: 2, status: 'paused', config: first.config })
    expect(paused.secret).toBeUndefined()
    const listed = await tenant.admin.get('/platform/integrations', { query: { id: first.id, versions: 'true' } })
    expect(listed.body.data[0].versions.map((one: { status: string }) => one.status)).toEqual(['paused', 'active'])
    expect(listed.text).not.toContain('whsec_')
  })

  test.each([
    [{ kind: 'webhook', config: { url: 5 } }, 'PLAT-019', '/config/url'],
    [{ kind: 'webhook', config: { url: 'https://a.example', more: 1 } }, 'PLAT-019', '/config/more'],
    [{ kind: 'pagerduty', config: {} }, 'PLAT-019', '/credentials/routing_key'],
    [{ kind: 'slack', config: {}, credentials: {} }, 'PLAT-019', '/credentials'],
    [{ kind: 'webhook', config: { url: 'https://a.example' }, filter: 'event.x ==' }, 'PLAT-019', '/filter'],
    [{ kind: 'webhook', config: { url: 'http://169.254.169.254/latest' } }, 'PLAT-020', '/config'],
    [{ kind: 'webhook', config: { url: 'http://[::ffff:169.254.169.254]/' } }, 'PLAT-020', '/config'],
    [{ kind: 'syslog', config: { host: '169.254.169.254' } }, 'PLAT-020', '/config'],
    [
      { kind: 'email_smtp', config: { host: '169.254.169.254', from: 'a@a.example', to: ['b@a.example'] } },
      'PLAT-020',
      '/config',
    ],
    [
      { kind: 'postgres', config: { host: '169.254.169.254', database: 'd' }, credentials: { user: 'u' } },
      'PLAT-020',
      '/config',
    ],
    [
      { kind: 'postgres', config: { host: 'db.example', database: 'd', table: 'a; drop' } },
      'PLAT-019',
      '/config/table',
    ],
    [{ kind: 'jira', config: {}, rotate_secret: true }, 'PLAT-019', '/rotate_secret'],
  ])('is refused for %j', async (body, code, pointer) => {
    const answer = await save({ name: `refused ${code} ${pointer}`, ...body })
    expect([...told(answer), answer.body.errors[0].pointer]).toEqual([422, code, pointer])
  })

  test('that is archived has no credentials any more, and its name is free', async () => {
    const { id } = await webhook('archived')
    expectStatus(await save({ name: 'archived', kind: 'webhook', status: 'archived' }), 201)
    const [row] = await world.kernel.db.read(
      tenant.id,
      sql<{ sealed: unknown }>`select sealed from platform_integration where id = ${id}`,
    )
    expect(row?.sealed).toBeNull()
    expect((await webhook('archived')).id).not.toBe(id)
    expect(told(await send(id, { kind: 'test' }))).toEqual([409, 'PLAT-018'])
  })
})

describe('a delivery', () => {
  test('of an event carries the CloudEvent, signed; the filter decides', async () => {
    const { id, secret } = await webhook('events', { events: ['aegis.kill_switch.*'] })
    const other = await webhook('filtered', { events: ['*'], filter: 'event.channel == "trust.never"' })
    const switchId = await happen()
    await expect.poll(() => at('events').length, { timeout: 10_000 }).toBe(1)
    const [{ headers, body } = { headers: {}, body: '' }] = at('events')
    expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({
      ...{ channel: 'aegis.kill_switch.activated', subject: switchId },
    })
    await expect.poll(async () => (await log(id))[0]?.status).toBe('delivered')
    const [delivery] = await log(id, { channel: 'aegis.kill_switch.activated' })
    expect(delivery).toMatchObject({ kind: 'event', attempts: [{ n: 1, http_status: 200, error: null }] })
    expect(delivery.attempts[0].response_excerpt).toBe('said at /events')
    expect(await log(other.id)).toEqual([])
    expect((await shown(id)).health).toMatchObject({ success_rate_24h: 1 })
  })

  test('is repeated with the same id, dies after its last attempt, and is replayed', async () => {
    const { id } = await webhook('failing', { events: ['aegis.kill_switch.*'] })
    answers.set('/failing', [500, 500])
    await happen()
    await expect.poll(async () => (await log(id))[0]?.status, { timeout: 10_000 }).toBe('retrying')
    const [{ id: deliveryId, next_attempt_at: next }] = await log(id)
    const pause = Date.parse(next) - world.kernel.clock.now()
    expect(pause).toBeGreaterThan(0)
    expect(pause).toBeLessThanOrEqual(5_500)
    // The last attempt of ten.
    await execute(sql`update platform_delivery set tries = 9 where id = ${deliveryId}`)
    await hurry(id)
    await expect.poll(async () => (await log(id))[0]?.status, { timeout: 10_000 }).toBe('dead')
    expect(told(await send(id, { kind: 'replay' }))).toEqual([400, 'API-001'])
    expect(expectStatus(await send(id, { kind: 'replay', all_dead: true }), 202).body.data).toEqual({ queued: 1 })
    await expect.poll(async () => (await log(id))[0]?.status, { timeout: 10_000 }).toBe('delivered')
    expect(new Set(at('failing').map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await log(id))[0].attempts.map((one: { http_status: number }) => one.http_status)).toEqual([500, 500, 200])
    expect(told(await send(id, { kind: 'replay', all_dead: true }))).toEqual([422, 'PLAT-022'])
    // Administrators of integrations are told of the dead one.
    await expect
      .poll(async () => (await tenant.admin.get('/platform/notifications?category=integration')).body.data[0]?.title)
      .toBe('A delivery was given up')
  })

  test('to a receiver that is gone disables the integration', async () => {
    const { id } = await webhook('gone', { events: ['aegis.kill_switch.*'] })
    answers.set('/gone', [410])
    await happen()
    await expect.poll(async () => (await shown(id)).status, { timeout: 10_000 }).toBe('disabled')
    expect((await shown(id)).health.disabled_reason).toContain('410')
    expect((await log(id))[0].status).toBe('dead')
    expect(expectStatus(await save({ name: 'gone', kind: 'webhook' }), 201).body.data.status).toBe('active')
  })

  test('of an ordered integration waits for the one before it', async () => {
    const { id } = await webhook('ordered', { events: ['aegis.kill_switch.*'], ordered: true })
    answers.set('/ordered', [503])
    const [first, second] = [await happen(), await happen()]
    await expect.poll(async () => (await log(id)).length, { timeout: 10_000 }).toBe(2)
    await expect.poll(async () => (await log(id, { status: 'retrying' })).length, { timeout: 10_000 }).toBe(1)
    expect(at('ordered')).toHaveLength(1)
    await hurry(id)
    await expect.poll(() => at('ordered').length, { timeout: 10_000 }).toBe(3)
    const subjects = at('ordered').map(({ body }) => JSON.parse(body).subject)
    expect(subjects).toEqual([first, first, second])
  })

  test('waits while its integration is paused, and goes on with it', async () => {
    const { id } = await webhook('paused', { events: ['aegis.kill_switch.*'] })
    answers.set('/paused', [500])
    await happen()
    await expect.poll(async () => (await log(id))[0]?.status, { timeout: 10_000 }).toBe('retrying')
    expectStatus(await save({ name: 'paused', kind: 'webhook', status: 'paused' }), 201)
    expect(told(await send(id, { kind: 'replay', all_dead: true }))).toEqual([409, 'PLAT-018'])
    expectStatus(await save({ name: 'paused', kind: 'webhook', status: 'active' }), 201)
    await hurry(id)
    await expect.poll(async () => (await log(id))[0]?.status, { timeout: 10_000 }).toBe('delivered')
  })
})

describe('a test', () => {
  test('answers with the true outcome, and both secrets sign while one replaces the other', async () => {
    const { id, secret } = await webhook('tested')
    const sent = expectStatus(await send(id, { kind: 'test' }), 201).body.data
    expect(sent).toMatchObject({ kind: 'test', status: 'delivered', attempts: [{ http_status: 200 }] })
    answers.set('/tested', [401])
    const refused = await send(id, { kind: 'test' })
    expect(told(refused)).toEqual([502, 'PLAT-021'])
    expect(refused.body.detail).toContain('answered 401')
    const rotated = expectStatus(await save({ name: 'tested', kind: 'webhook', rotate_secret: true }), 201).body.data
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.previous_secret_until).not.toBeNull()
    expectStatus(await send(id, { kind: 'test' }), 201)
    const { headers, body } = at('tested').at(-1) ?? { headers: {}, body: '' }
    for (const one of [secret, rotated.secret]) expect(new Webhook(one).verify(body, { ...headers })).toBeTruthy()
    expect(told(await send(id, { kind: 'test', sample_channel: 'trust.never.happened' }))).toEqual([422, 'PLAT-022'])
  })

  test('goes by mail and by syslog too, and an unreachable destination is its true outcome', async () => {
    const relay = new URL(sink.url)
    const config = {
      host: relay.hostname,
      port: Number(relay.port),
      tls: false,
      from: 'p@a.example',
      to: ['soc@a.example'],
    }
    const mail = expectStatus(await save({ name: 'mail', kind: 'email_smtp', config }), 201).body.data
    expectStatus(await send(mail.id, { kind: 'test' }), 201)
    expect(sink.newestTo('soc@a.example')).toMatchObject({ subject: '[info] Test message from Parapet' })
    const { createServer: createTcp } = await import('node:net')
    const lines: string[] = []
    const port = await listen(createTcp((socket) => socket.on('data', (piece) => lines.push(piece.toString()))))
    const syslog = { name: 'syslog', kind: 'syslog', config: { host: '127.0.0.1', port, tls: false } }
    const { id } = expectStatus(await save(syslog), 201).body.data
    expectStatus(await send(id, { kind: 'test' }), 201)
    await expect
      .poll(() => lines.join(''))
      .toMatch(/^\d+ <110>1 \S+ parapet parapet - platform\.notification\.created \[/)
    const closed = {
      name: 'closed',
      kind: 'splunk_hec',
      config: { url: 'http://127.0.0.1:9' },
      credentials: { token: 't' },
    }
    const away = expectStatus(await save(closed), 201).body.data
    expect(told(await send(away.id, { kind: 'test' }))).toEqual([502, 'PLAT-021'])
  })
})
