/** Calls that cannot be parsed are refused, and recorded like all others. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../kernel/db/sql.ts'
import { withProvider } from '../testing/one-provider.ts'
import { say } from '../testing/upstream.ts'

const at = withProvider('unread')

beforeEach(() => at.upstream.reply(say('Hello.')))

const json = 'application/json'
const chat = '/chat/completions'
const openAi = '/openai/v1/chat/completions'
const messages = [{ role: 'user', content: 'hello' }]

interface Sent {
  readonly path?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function post(payload: string, { path = chat, type = json, headers = {} }: Sent = {}) {
  const authorization = `Bearer ${at.tenant.admin.token}`
  const answer = await at.world.program.app.inject({
    method: 'POST',
    url: `/api/v1/gateway${path}`,
    headers: { authorization, 'content-type': type, ...headers },
    payload,
  })
  const id = String(answer.headers['x-request-id'])
  return { answer, row: (await at.tenant.admin.get(`/gateway/requests/${id}`)).body.data }
}

const tooLarge = `{"model":"${'x'.repeat(10_485_760)}"}`

describe('a call of a known caller that', () => {
  test.each<[what: string, payload: string, sent: Sent, code: string, form: readonly [string, string]]>([
    ['is no JSON', '{', {}, 'API-002', ['parapet', 'chat']],
    ['is not in its form', JSON.stringify({ messages: [] }), {}, 'API-001', ['parapet', 'chat']],
    ['has a member nobody knows', JSON.stringify({ messages, frob: 1 }), {}, 'API-001', ['parapet', 'chat']],
    [
      'has a query nobody knows',
      JSON.stringify({ messages }),
      { path: `${chat}?frob=1` },
      'API-001',
      ['parapet', 'chat'],
    ],
    ['is too large', tooLarge, {}, 'API-005', ['parapet', 'chat']],
    ['is another kind of body', 'messages', { type: 'text/plain' }, 'API-006', ['parapet', 'chat']],
    ['is not OpenAI’s', '{}', { path: openAi }, 'API-001', ['openai', 'chat']],
    ['is no response', '[]', { path: '/openai/v1/responses' }, 'API-001', ['openai', 'responses']],
    [
      'embeds nothing',
      '{"model":"test-model"}',
      { path: '/openai/v1/embeddings' },
      'API-001',
      ['openai', 'embeddings'],
    ],
    ['is not Anthropic’s', '{', { path: '/anthropic/v1/messages' }, 'API-002', ['anthropic', 'messages']],
    [
      'has a header that means nothing',
      JSON.stringify({ model: 'test-model', messages }),
      { path: openAi, headers: { 'x-gateway-cache': 'sometimes' } },
      'API-001',
      ['openai', 'chat'],
    ],
  ])('%s is in the log', async (_what, payload, sent, code, form) => {
    const { answer, row } = await post(payload, sent)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.headers['x-gateway-mode']).toBe('enforce')
    expect(row).toMatchObject({ status: 'failed', error_code: code, blocked_step: 'admission', payload: null })
    expect([row.dialect, row.operation]).toEqual(form)
    expect(row.steps.map(({ name, decision }: Record<string, string>) => [name, decision])).toEqual([
      ['admission', 'block'],
      ['audit_and_accounting', 'allow'],
    ])
    expect(at.upstream.received).toEqual([])
  })

  test('cannot be read has its place in the audit chain and its event', async () => {
    const { row } = await post('{')
    const find = () => at.tenant.admin.get(`/gateway/requests/${row.id}`, { query: { verify: 'true' } })
    await vi.waitFor(
      async () => expect((await find()).body.data.verification).toMatchObject({ ok: true, sealed: true }),
      { timeout: 20_000 },
    )
    const events = () =>
      at.world.kernel.db.read(
        at.tenant.id,
        sql<{ channel: string; data: unknown }>`select channel, data from event_log where subject = ${row.id}`,
      )
    const data = expect.objectContaining({ status: 'failed', error_code: 'API-002', provider: null, attempts: 0 })
    await vi.waitFor(
      async () => expect(await events()).toMatchObject([{ channel: 'gateway.request.completed', data }]),
      { timeout: 20_000 },
    )
  })

  test('says in the form of its address what is wrong, with the facts of its record', async () => {
    const mine = (await post('{}')).answer.json()
    expect(mine).toMatchObject({
      error_code: 'API-001',
      log_id: expect.any(String),
      errors: [{ pointer: '/messages' }],
    })
    const { answer } = await post('{}', { path: openAi })
    expect(answer.json().error).toMatchObject({ type: 'invalid_request_error', param: 'messages', code: 'API-001' })
    expect(answer.headers).toMatchObject({ 'x-gateway-cost': 'free', 'x-gateway-violations': '0' })
  })
})

test('strangers and those who may not call leave no call behind', async () => {
  const count = async () => (await at.tenant.admin.get('/gateway/requests')).body.meta.pagination.total_count
  const before = await count()
  const viewer = await at.tenant.as('viewer')
  const send = (authorization: string) =>
    at.world.program.app.inject({
      method: 'POST',
      url: `/api/v1/gateway${chat}`,
      headers: { authorization, 'content-type': json },
      payload: '{',
    })
  expect((await send('Bearer nobody')).statusCode).toBe(401)
  expect((await send(`Bearer ${viewer.token}`)).statusCode).toBe(403)
  expect(await count()).toBe(before)
})
