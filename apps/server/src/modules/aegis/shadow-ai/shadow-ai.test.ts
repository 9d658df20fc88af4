import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { UploadBody } from '../../../../test/support/upload-body.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { aegisSignals } from '../signals.ts'
import { shadowAiUpkeep } from './services/upkeep.ts'
import { squidLine } from './testing/logs.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const base = '/aegis/shadow-ai'
const today = () => Math.floor(world.kernel.clock.now() / 1_000)

const send = (
  tenant: TestTenant,
  text: string | Buffer,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
) => tenant.admin.post(`${base}/ingestions`, UploadBody.stream('text/plain', Buffer.from(text)), { query, headers })

const servicesOf = async (tenant: TestTenant, query: Readonly<Record<string, string>> = {}) =>
  expectStatus(await tenant.admin.get(`${base}/services`, { query: { limit: '100', ...query } }), 200).body.data

const rowsIn = (tenant: TestTenant, table: 'services' | 'ingestions' | 'blobs') =>
  world.kernel.db.read(
    tenant.id,
    table === 'services'
      ? sql<object>`select id from aegis_shadow_ai_service`
      : table === 'ingestions'
        ? sql<object>`select id from aegis_shadow_ai_ingestion`
        : sql<object>`select id from blob`,
  )

const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

describe('a log', () => {
  test('is counted as awk counts it, and is not kept', async () => {
    const tenant = await world.tenant('shadow-awk')
    const next = random(7)
    const hosts = ['chatgpt.com', 'a.chatgpt.com', 'claude.ai', 'example.com', 'notchatgpt.com', 'intranet.example']
    const text = Array.from({ length: 20_000 }, () => {
      const host = hosts[Math.floor(next() * hosts.length)] ?? ''
      const user = `u${Math.floor(next() * 50)}`
      const bytes = Math.floor(next() * 10_000)
      return squidLine({ at: today() - Math.floor(next() * 864_000), target: `CONNECT ${host}:443`, user, bytes })
    }).join('')
    const folder = mkdtempSync(join(tmpdir(), 'parapet-awk-'))
    const file = join(folder, 'access.log')
    writeFileSync(file, text)
    const program =
      '{ split($7, t, ":"); h = t[1]; if (h ~ /(^|\\.)chatgpt\\.com$/) { n++; b += $5; u[$8] = 1; d[int($1 / 86400)]++ } } END { for (k in u) c++; for (k in d) e++; print NR, n, b, c, e }'
    const counted = spawnSync('awk', [program, file], { encoding: 'utf8' }).stdout.trim().split(' ').map(Number)
    rmSync(folder, { recursive: true })
    const [lines, requests, bytes, users, days] = counted
    const answer = expectStatus(await send(tenant, text, { format: 'squid', source: 'proxy-1' }), 201).body.data
    expect(answer).toMatchObject({ lines_total: lines, lines_failed: 0, status: 'completed', services_new: 2 })
    const [chatgpt] = await servicesOf(tenant, { q: 'chatgpt' })
    expect(chatgpt).toMatchObject({ requests, bytes_down: bytes, users, catalog_slug: 'chatgpt', status: 'discovered' })
    const detail = expectStatus(await tenant.admin.get(`${base}/services/${chatgpt.id}`), 200).body.data
    expect(detail.series).toHaveLength(days ?? 0)
    const sum = (name: 'requests' | 'bytes_down') =>
      detail.series.reduce((all: number, day: Record<string, number>) => all + (day[name] ?? 0), 0)
    expect([sum('requests'), sum('bytes_down')]).toEqual([requests, bytes])
    expect(detail.facts.trains_on_input_default).toMatchObject({ value: true, checked_at: null })
    expect(detail.unchecked_facts).toBe(Object.keys(detail.facts).length)
    await expect.poll(() => rowsIn(tenant, 'blobs')).toEqual([])
  })

  test('that is sent again answers its first ingestion and counts once, also packed', async () => {
    const tenant = await world.tenant('shadow-again')
    const text = squidLine({ at: today(), target: 'CONNECT claude.ai:443', user: 'ann' })
    const first = expectStatus(await send(tenant, text), 201).body.data
    const again = expectStatus(await send(tenant, gzipSync(text), {}, { 'content-encoding': 'gzip' }), 200).body.data
    expect(again).toEqual(first)
    const both = await Promise.all([1, 2].map(() => send(tenant, `${text}${text}`)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
    const [service] = await servicesOf(tenant)
    expect(service.requests).toBe(3)
    await expect.poll(() => rowsIn(tenant, 'blobs')).toEqual([])
  })

  test('names people of the tenant where it knows them, with their departments', async () => {
    const tenant = await world.tenant('shadow-people')
    const { email, id } = expectStatus(await tenant.admin.get('/auth/me'), 200).body.data.user
    expectStatus(await tenant.admin.patch(`/iam/users/${id}`, { department: 'Looms' }), 200)
    const log = [email.toUpperCase(), `CORP\\${email.split('@')[0]}`, 'stranger', '-'].map((user) =>
      squidLine({ at: today(), target: 'CONNECT poe.com:443', user }),
    )
    const ingestion = expectStatus(await send(tenant, log.join('')), 201).body.data
    expect(ingestion.attributed_ratio).toBe(0.5)
    const [service] = await servicesOf(tenant, { user: id })
    expect(service).toMatchObject({ users: 3, departments: ['Looms'], requests: 4 })
    const detail = expectStatus(await tenant.admin.get(`${base}/services/${service.id}`), 200).body.data
    expect(detail.top_users[0]).toMatchObject({ user_id: id, name: null, department: 'Looms', requests: 2 })
    expect(detail.unattributed_ratio).toBe(0.5)
    expect(await servicesOf(tenant, { department: 'Looms' })).toHaveLength(1)
    expect(await servicesOf(tenant, { user: 'stranger' })).toHaveLength(1)
    expect(await servicesOf(tenant, { user: 'nobody' })).toEqual([])
  })

  test('is pseudonymized where the tenant wants that', async () => {
    const tenant = await world.tenant('shadow-pseudonyms')
    const value = { pseudonymize_users: true, restricted_departments: [], high_risk: 60 }
    expectStatus(
      await tenant.admin.patch('/admin/config', { values: { 'aegis.shadow_ai': value }, comment: 'Sample' }),
      200,
    )
    expectStatus(await send(tenant, squidLine({ at: today(), target: 'CONNECT poe.com:443', user: 'zelda-q9z' })), 201)
    const rows = await world.kernel.db.read(
      tenant.id,
      sql<{ text: string }>`select used::text as text from aegis_shadow_ai_use used`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toContain('zelda')
    expect(rows[0]?.text).toContain('p:')
  })

  const fine = squidLine({ at: 1_760_000_000, target: 'CONNECT claude.ai:443', user: 'ann' })
  test.each([
    ['of another format', fine, { format: 'zeek_json' }, undefined],
    ['of which 21 % is unreadable', `${fine.repeat(79)}${'bad\n'.repeat(21)}`, {}, undefined],
    ['without lines', '\n\n', {}, undefined],
    ['of csv without columns', 'a,b\n', { format: 'csv' }, '?columns'],
    ['with a zone that nobody knows', 'a,b\n', { format: 'csv', columns: 'time:a,host:b', tz: 'Mars/Base' }, '?tz'],
    [
      'whose times have no zone',
      'a,b\n2024-01-01 00:00:00,c.example\n',
      { format: 'csv', columns: 'time:a,host:b' },
      '?tz',
    ],
    ['of binary content', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7) % 256)), {}, undefined],
  ])('%s is refused and changes nothing', async (_what, text, query, pointer) => {
    const tenant = await refused()
    const answer = expectStatus(await send(tenant, text, query as Record<string, string>), 422)
    expect(answer.body.error_code).toBe('AEGIS-012')
    if (pointer !== undefined) expect(answer.body.errors[0].pointer).toBe(pointer)
    expect(await rowsIn(tenant, 'services')).toEqual([])
    expect(await rowsIn(tenant, 'ingestions')).toEqual([])
    await expect.poll(() => rowsIn(tenant, 'blobs')).toEqual([])
  })

  test('of which 20 % is unreadable is taken, with samples of those lines', async () => {
    const tenant = await world.tenant('shadow-twenty')
    const answer = expectStatus(await send(tenant, `${fine.repeat(80)}${'bad\u0000\n'.repeat(20)}`), 201).body.data
    expect(answer).toMatchObject({ lines_total: 100, lines_parsed: 80, lines_failed: 20 })
    expect(answer.failed_samples).toEqual(Array.from({ length: 5 }, () => 'bad\uFFFD'))
  })

  test('that is a bomb, or packed in another way, is refused', async () => {
    const tenant = await refused()
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576))
    expectStatus(await send(tenant, bomb, {}, { 'content-encoding': 'gzip' }), 400)
    expectStatus(await send(tenant, 'x', {}, { 'content-encoding': 'br' }), 415)
    expect(await rowsIn(tenant, 'ingestions')).toEqual([])
  })
})

let refusing: Promise<TestTenant> | null = null
const refused = (): Promise<TestTenant> => {
  refusing ??= world.tenant('shadow-refused')
  return refusing
}

describe('a discovered service', () => {
  const until = (days: number) => new Date(world.kernel.clock.now() + days * 86_400_000).toISOString()

  async function discovered(name: string) {
    const tenant = await world.tenant(name)
    const targets = ['CONNECT chatgpt.com:443', 'CONNECT llm.corp.example:443', 'CONNECT mcp.corp.example:443']
    const log = targets.map((target) => squidLine({ at: today(), target, user: 'ann' })).join('')
    expectStatus(await send(tenant, log), 201)
    const [chatgpt] = await servicesOf(tenant, { q: 'ChatGPT' })
    return { tenant, chatgpt, move: (body: object) => tenant.admin.patch(`${base}/services/${chatgpt.id}`, body) }
  }

  test('is decided about along its states', async () => {
    const { tenant, chatgpt, move } = await discovered('shadow-states')
    const illegal = expectStatus(await move({ status: 'banned', reason: 'No' }), 409)
    expect(illegal.body.error_code).toBe('AEGIS-002')
    expect(illegal.body.errors[0]).toMatchObject({ pointer: '/status' })
    expectStatus(await move({ status: 'under_review' }), 200)
    expectStatus(await move({ status: 'banned' }), 400)
    expectStatus(await move({ status: 'tolerated', reason: 'Trial' }), 400)
    expectStatus(await move({ status: 'tolerated', reason: 'Trial', until: until(181) }), 400)
    expectStatus(await move({ status: 'sanctioned', reason: 'Yes', until: until(1) }), 400)
    expectStatus(await move({ reason: 'Alone' }), 400)
    expectStatus(await move({ owner_user_id: tenant.id }), 400)
    const tolerated = expectStatus(
      await move({ status: 'tolerated', reason: 'Trial', until: until(90), conditions: 'No files' }),
      200,
    ).body.data
    expect(tolerated).toMatchObject({ status: 'tolerated', decision: { reason: 'Trial', conditions: 'No files' } })
    expect(await servicesOf(tenant, { status: 'tolerated' })).toHaveLength(1)
    await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
      await tx.execute(sql`update aegis_shadow_ai_service set tolerated_until = now() where id = ${chatgpt.id}`)
      await tx.enqueue({ kind: shadowAiUpkeep.kind, payload: {} })
    })
    const status = async () => (await tenant.admin.get(`${base}/services/${chatgpt.id}`)).body.data.status
    await expect.poll(status).toBe('under_review')
    expectStatus(await move({ status: 'banned', reason: 'No contract' }), 200)
  })

  test('is listed by type and risk, and scored by terms that add up', async () => {
    const { tenant, chatgpt } = await discovered('shadow-list')
    expect((await servicesOf(tenant, { type: 'mcp_server' })).map(({ name }: { name: string }) => name)).toEqual([
      'mcp.corp.example',
    ])
    expect(await servicesOf(tenant, { risk_min: '99' })).toEqual([])
    const points = (part: string) =>
      chatgpt.risk_reasons
        .filter((reason: { part: string }) => reason.part === part)
        .reduce((all: number, { points: more }: { points: number }) => all + more, 0)
    expect(points('inherent')).toBeCloseTo(chatgpt.inherent, 5)
    expect(0.6 * points('inherent') + 0.4 * points('exposure')).toBeCloseTo(chatgpt.risk_score, 1)
  })

  test('is in a table, and in block lists when it is banned', async () => {
    const { tenant, move } = await discovered('shadow-files')
    expectStatus(await move({ status: 'under_review' }), 200)
    expectStatus(await move({ status: 'banned', reason: 'No contract' }), 200)
    const file = async (accept: string, query: Record<string, string>) =>
      expectStatus(await tenant.admin.get(`${base}/services`, { query, headers: { accept } }), 200)
    const table = await file('text/csv', {})
    expect(table.headers['content-type']).toContain('text/csv')
    expect(table.text.split('\r\n').filter((line) => line !== '')).toHaveLength(4)
    const query = { status: 'banned' }
    const pac = createContext({})
    new Script((await file('text/plain', { ...query, format: 'pac' })).text).runInContext(pac)
    const ask = (host: string) => new Script(`FindProxyForURL('', '${host}')`).runInContext(pac)
    expect([ask('x.chatgpt.com'), ask('llm.corp.example')]).toEqual(['PROXY 127.0.0.1:9', 'DIRECT'])
    expect((await file('text/plain', { ...query, format: 'rpz' })).text).toContain('\n*.chatgpt.com CNAME .\n')
    expect((await file('text/plain', query)).text).toContain('\n0.0.0.0 chatgpt.com\n')
  })

  test('opens an alert when it is a new MCP server, of high risk, or banned and in use', async () => {
    const { tenant, chatgpt, move } = await discovered('shadow-alerts')
    const alerts = async () =>
      expectStatus(await tenant.admin.get('/aegis/alerts'), 200).body.data as { title: string; count: number }[]
    const titles = async () => (await alerts()).map(({ title }) => title).sort()
    expect(await titles()).toEqual(['Unregistered MCP server is in use: mcp.corp.example'])
    expectStatus(await move({ status: 'under_review' }), 200)
    expectStatus(await move({ status: 'banned', reason: 'No contract' }), 200)
    const use = (user: string) => send(tenant, squidLine({ at: today(), target: 'CONNECT chatgpt.com:443', user }))
    expectStatus(await use('bob'), 201)
    expectStatus(await use('eve'), 201)
    const banned = (await alerts()).filter(({ title }) => title === 'Banned AI service is in use: ChatGPT')
    expect(banned).toMatchObject([{ count: 2, entities: [{ type: 'shadow_ai_service', id: chatgpt.id }] }])
    const value = { pseudonymize_users: false, restricted_departments: [], high_risk: 10 }
    expectStatus(
      await tenant.admin.patch('/admin/config', { values: { 'aegis.shadow_ai': value }, comment: 'Low' }),
      200,
    )
    expectStatus(
      await send(tenant, squidLine({ at: today(), target: 'CONNECT chat.deepseek.com:443', user: 'ann' })),
      201,
    )
    expect(await titles()).toContain('New AI service of high risk: DeepSeek Chat')
  })

  test('is matched anew by an entry of the tenant, which wins over a shipped one', async () => {
    const { tenant, chatgpt } = await discovered('shadow-entries')
    const put = (body: object) =>
      tenant.admin.post(`${base}/catalog-entries`, { name: 'Ours', vendor: 'Corp', category: 'chat', ...body })
    const bare = expectStatus(
      await put({ slug: 'ours', hosts: ['.corp.example'], facts: { soc2: { value: true } } }),
      422,
    )
    expect([bare.body.error_code, bare.body.errors[0].pointer]).toEqual(['AEGIS-018', '/facts/soc2/source_url'])
    const made = expectStatus(await put({ slug: 'ours', hosts: ['.corp.example'] }), 201).body.data
    expect(made.rematched).toBe(1)
    expect((await servicesOf(tenant)).map(({ catalog_slug: slug }: { catalog_slug: string }) => slug).sort()).toEqual([
      'chatgpt',
      'ours',
    ])
    const taken = expectStatus(await put({ slug: 'others', hosts: ['.corp.example'] }), 422)
    expect([taken.body.error_code, taken.body.errors[0].pointer]).toEqual(['AEGIS-018', '/hosts/0'])
    const source_url = 'https://example.com/contract'
    const facts = { trains_on_input_default: { value: false, source_url }, soc2: { value: true, source_url } }
    const ours = { slug: 'chatgpt', name: 'ChatGPT Enterprise', kind: 'business', hosts: ['.chatgpt.com'], facts }
    expect(expectStatus(await put(ours), 201).body.data.rematched).toBe(1)
    expectStatus(await put(ours), 200)
    const [now] = await servicesOf(tenant, { q: 'ChatGPT' })
    expect(now.inherent).toBeLessThan(chatgpt.inherent)
    expectStatus(
      await send(tenant, squidLine({ at: today(), target: 'CONNECT new.corp.example:443', user: 'bob' })),
      201,
    )
    const [corp] = await servicesOf(tenant, { q: 'Ours' })
    expect(corp).toMatchObject({ requests: 3, users: 2 })
  })
})

test('facts, the signal and events tell of what was found', async () => {
  const tenant = await world.tenant('shadow-evidence')
  const signal = async () =>
    world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
      const { signals } = await aegisSignals(tx, world.kernel.clock.iso())
      return signals.find(({ id }) => id === 'shadow_ai')
    })
  expect(await signal()).toMatchObject({ good: null, n: null })
  const access = (target: string) => squidLine({ at: today(), target, user: 'ann' })
  expectStatus(await send(tenant, `${access('CONNECT claude.ai:443').repeat(3)}${access('CONNECT poe.com:443')}`), 201)
  expect(await signal()).toMatchObject({ good: 0, n: 4 })
  const [claude] = await servicesOf(tenant, { q: 'claude' })
  for (const body of [{ status: 'under_review' }, { status: 'sanctioned', reason: 'Contract' }])
    expectStatus(await tenant.admin.patch(`${base}/services/${claude.id}`, body), 200)
  expect(await signal()).toMatchObject({ good: 3, n: 4 })
  expect(await readFact(world, tenant.id, 'aegis.shadow_ai')).toMatchObject({
    services: { discovered: 1, under_review: 0, sanctioned: 1, tolerated: 0, banned: 0 },
    requests: 4,
    sanctioned_requests: 3,
  })
  const told = await world.kernel.db.read(
    tenant.id,
    sql<{ channel: string }>`
      select channel from outbox where channel like 'aegis.shadow%'
      union all select channel from event_log where channel like 'aegis.shadow%'`,
  )
  expect(told.map(({ channel }) => channel).sort()).toEqual([
    'aegis.shadow_ai_ingestion.completed',
    'aegis.shadow_ai_service.discovered',
    'aegis.shadow_ai_service.discovered',
  ])
})
