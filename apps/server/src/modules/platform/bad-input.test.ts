/** Input that is sent by mistake or on purpose: each kind has its own refusal, and nothing is changed. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { closeAll, listen } from '../../kernel/egress/testing/upstream.ts'

let world: World
let tenant: TestTenant
let redirecting: string
beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
  })
  redirecting = `http://127.0.0.1:${await listen(server)}/`
  world = await openWorld()
  tenant = await world.tenant('platform-bad-input')
})
afterAll(async () => {
  await world?.close()
  await closeAll()
})

const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const count = async (path: string): Promise<number> =>
  expectStatus(await tenant.admin.get(path), 200).body.meta.pagination.total_count

describe('a workflow', () => {
  const step = { id: 'a', type: 'set', with: { values: {} } }
  const manual = { type: 'manual' }
  const nested = `${'['.repeat(60)}1${']'.repeat(60)}`
  const value = (text: string) => [{ ...step, with: { values: { x: `$\{{ ${text} }}` } } }]
  test.each([
    ['a step of a type that there is not', { trigger: manual, steps: [{ ...step, type: 'shell' }] }, 400, 'API-001'],
    ['a step that waits for itself', { trigger: manual, steps: [{ ...step, depends_on: ['a'] }] }, 422, 'PLAT-012'],
    ['two steps of one id', { trigger: manual, steps: [step, step] }, 422, 'PLAT-012'],
    ['no step', { trigger: manual, steps: [] }, 400, 'API-001'],
    [
      'a minute that there is not',
      { trigger: { type: 'schedule', cron: '60 * * * *' }, steps: [step] },
      422,
      'PLAT-007',
    ],
    ['a day that never comes', { trigger: { type: 'schedule', cron: '0 0 31 2 *' }, steps: [step] }, 422, 'PLAT-007'],
    [
      'a time zone that there is not',
      { trigger: { type: 'schedule', cron: '0 8 * * *', time_zone: 'Mars/Olympus' }, steps: [step] },
      ...([422, 'PLAT-007'] as const),
    ],
    ['an expression that is not closed', { trigger: manual, steps: value('1 + (2') }, 422, 'PLAT-012'],
    ['an expression that is nested too deeply', { trigger: manual, steps: value(nested) }, 422, 'PLAT-012'],
  ] as const)('with %s is refused', async (_what, definition, status, code) => {
    const answer = await tenant.admin.post('/platform/workflows', { key: 'bad', name: 'Bad', definition })
    expect(told(answer)).toEqual([status, code])
    expect(await count('/platform/workflows')).toBe(0)
  })

  test('of ten megabytes is refused', async () => {
    const steps = [{ ...step, with: { values: { x: 'x'.repeat(10_485_760) } } }]
    const answer = await tenant.admin.post('/platform/workflows', {
      ...{ key: 'bad', name: 'Bad', definition: { trigger: manual, steps } },
    })
    expect(answer.status).toBe(413)
    expect(await count('/platform/workflows')).toBe(0)
  })

  test('that answers to its own events, or to those of another that answers to it, comes to an end', async () => {
    const chained = (key: string) => ({
      ...{ key, name: key },
      definition: { trigger: { type: 'event', channels: ['platform.workflow.completed'] }, steps: [step] },
    })
    const [one, two] = [
      expectStatus(await tenant.admin.post('/platform/workflows', chained('ping')), 201).body.data,
      expectStatus(await tenant.admin.post('/platform/workflows', chained('pong')), 201).body.data,
    ]
    expectStatus(await tenant.admin.post(`/platform/workflows/${one.id}/runs`, {}), 201)
    const depths = async (id: string): Promise<readonly number[]> =>
      expectStatus(await tenant.admin.get(`/platform/workflows/${id}/runs?limit=100`), 200)
        .body.data.map(({ depth }: { depth: number }) => depth)
        .sort((a: number, b: number) => a - b)
    // Each answers to the other, down to the bound of eight.
    await expect
      .poll(async () => [await depths(one.id), await depths(two.id)], { timeout: 30_000 })
      .toEqual([
        [1, 3, 5, 7],
        [2, 4, 6, 8],
      ])
    for (const key of ['ping', 'pong'])
      expectStatus(await tenant.admin.post('/platform/workflows', { key, status: 'archived' }), 201)
  })
})

describe('a notification', () => {
  const recipients = { permission: 'platform:admin' }
  const post = (body: object) =>
    tenant.admin.post('/platform/notifications', {
      ...{ title: 'T', body: 'B', severity: 'low', category: 'general', recipients, data: {} },
      ...body,
    })
  test.each([
    ['{% for i in (1..100000000) %}x{% endfor %}'],
    ['{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9999) %}x{% endfor %}{% endfor %}{% endfor %}'],
    ['{% include "/etc/passwd" %}'],
    ['{{ constructor }}'],
    ['{{ title'],
  ])('with the text %s is refused', async (body) => {
    expect(told(await post({ body }))).toEqual([422, 'PLAT-003'])
    expect(await count('/platform/notifications?category=general')).toBe(0)
  })

  test('whose title has line breaks has one line', async () => {
    const { title } = expectStatus(await post({ title: 'A\r\nBcc: x@y.example', data: { a: 'b' } }), 201).body.data
    expect(title).toBe('A Bcc: x@y.example')
  })
})

describe('a webhook', () => {
  const save = (url: string) =>
    tenant.admin.post('/platform/integrations', { name: 'bad', kind: 'webhook', config: { url } })
  test.each([
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data'],
    ['the metadata of a cloud by a name', () => 'http://metadata.google.internal/computeMetadata/v1/'],
    ['the metadata of a cloud as a number', () => 'http://2852039166/'],
    ['every address of the machine', () => 'http://0.0.0.0:9/'],
    ['a private network that nobody allowed', () => 'https://10.0.0.8/'],
    ['the server itself', () => `${world.kernel.config.publicUrl}/api/v1/platform/notifications`],
  ])('to %s is refused', async (_what, url) => {
    expect([_what, ...told(await save(url()))]).toEqual([_what, 422, 'PLAT-020'])
    expect(await count('/platform/integrations')).toBe(0)
  })

  test('that is redirected goes nowhere, and its test says so', async () => {
    const { id } = expectStatus(await save(redirecting), 201).body.data
    const answer = await tenant.admin.post(`/platform/integrations/${id}/deliveries`, { kind: 'test' })
    expect(told(answer)).toEqual([502, 'PLAT-021'])
    expect(answer.body.detail).toContain('302')
  })
})
