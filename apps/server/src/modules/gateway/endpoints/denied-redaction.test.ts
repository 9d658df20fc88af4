import { beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { ask, framesOf, textOf } from '../testing/support.ts'
import { say, sayBack, streamed } from '../testing/upstream.ts'

const here = withProvider('denied')

beforeAll(() =>
  onlyPolicy(here.tenant, {
    content: {
      denied_terms: [
        {
          id: 'bird',
          terms: ['Project Bluebird', 'bluebird'],
          match: 'word',
          action: 'redact',
          on: ['input', 'output'],
        },
        {
          id: 'long',
          terms: ['project bluebird of the northern marshes'],
          match: 'word',
          action: 'redact',
          on: ['output'],
        },
        { id: 'heron', terms: ['heron'], match: 'word', action: 'block' },
      ],
      denied_patterns: [{ id: 'ticket', pattern: 'T-\\d{4}', action: 'redact', on: ['input', 'output'] }],
    },
    streaming: { window_chars: 16 },
    retention: { level: 'redacted' },
  }),
)

const row = async (id: string) => expectStatus(await here.tenant.admin.get(`/gateway/requests/${id}`), 200).body.data

const sent = () => here.upstream.received.at(-1)?.body

describe('a term or pattern that is taken out of what is asked', () => {
  test('is replaced by a notice, whatever its disguise, and told in the log', async () => {
    here.upstream.reply(say('Fine.'))
    const answer = await ask(here.tenant.admin, 'About PROJECT  blue\u200bbird and T-1234, T-5678.')
    const { data } = expectStatus(answer, 200).body
    expect(sent().messages[0].content).toBe('About [removed: bird] and [removed: ticket], [removed: ticket].')
    const found = [
      { rule_id: 'bird', action: 'redact', count: expect.any(Number), location: '/messages/0/content' },
      { rule_id: 'ticket', action: 'redact', count: 2 },
    ]
    const { policy_violations: told } = data.security
    expect(told.filter(({ step }: { step: string }) => step === 'content_policy')).toMatchObject(found)
    const logged = await row(data.id)
    expect(logged).toMatchObject({ decision: 'redacted', security: { policy_violations: told } })
    expect(logged.steps.find(({ n }: { n: number }) => n === 8).decision).toBe('redact')
    expect(logged.payload.messages[0].texts).toEqual([
      'About [removed: bird] and [removed: ticket], [removed: ticket].',
    ])
  })

  test('is taken out of the arguments of tools, which stay JSON', async () => {
    here.upstream.reply(say('Fine.'))
    const messages = [
      { role: 'user', content: 'go on' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":"bluebird \\"x\\""}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'T-1234' },
    ]
    expectStatus(await ask(here.tenant.admin, '', { messages }), 200)
    expect(JSON.parse(sent().messages[1].tool_calls[0].function.arguments)).toEqual({ q: '[removed: bird] "x"' })
    expect(sent().messages[2].content).toBe('[removed: ticket]')
  })

  test('is refused in the name of a tool, for which nothing else can stand', async () => {
    const tools = [{ type: 'function', function: { name: 'look_for_things_of_ticket_T-1234_here_and_there' } }]
    const refused = await ask(here.tenant.admin, 'hello', { tools })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-005'])
  })

  test('gives way to a rule that blocks', async () => {
    const refused = await ask(here.tenant.admin, 'the heron and the bluebird')
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-005'])
    const logged = await row(refused.body.log_id)
    expect(logged.payload.messages[0].texts[0]).toBe('the heron and the [removed: bird]')
  })

  test.each([[['blue', 'bird']], [['see T-12', '34 again']], [['the blue', 'bi', 'rd']]])(
    'is refused where it stands across the parts of a message: %s',
    async (parts) => {
      const content = parts.map((text) => ({ type: 'text', text }))
      const refused = await ask(here.tenant.admin, '', { messages: [{ role: 'user', content }] })
      expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-005'])
      expect(refused.body.errors[0].pointer).toBe('/messages/0/content/0')
    },
  )

  test('is taken out where it stands beside a border', async () => {
    here.upstream.reply(say('Fine.'))
    const content = ['the bluebird', 'of T-1234', '.'].map((text) => ({ type: 'text', text }))
    expectStatus(await ask(here.tenant.admin, '', { messages: [{ role: 'user', content }] }), 200)
    expect(sent().messages[0].content.map(({ text }: { text: string }) => text)).toEqual([
      'the [removed: bird]',
      'of [removed: ticket]',
      '.',
    ])
  })

  test('is not in what is kept of a call that ended before', async () => {
    const refused = await ask(here.tenant.admin, 'bluebird', { model: 'no-such-model' })
    expect(refused.body.error_code).toBe('GW-001')
    const logged = await row(refused.body.log_id)
    expect(JSON.stringify(logged.payload ?? {})).not.toContain('bluebird')
  })

  test('leaves nothing of a long text with more matches than are looked for', async () => {
    here.upstream.reply(say('Fine.'))
    const text = Array.from({ length: 6000 }, (_, n) => `T-${1000 + (n % 9000)}`).join(' ')
    expectStatus(await ask(here.tenant.admin, text), 200)
    expect(sent().messages[0].content).not.toMatch(/T-\d{4}/)
  })
})

describe('a term or pattern that is taken out of an answer', () => {
  const said = 'It is the blueBIRD, see T-1234 and T-99.'
  const shown = 'It is the [removed: bird], see [removed: ticket] and T-99.'

  test('never leaves', async () => {
    here.upstream.reply(say(said))
    const { data } = expectStatus(await ask(here.tenant.admin, 'hello'), 200).body
    expect(data.choices[0].message.content).toBe(shown)
    const logged = await row(data.id)
    expect(logged.decision).toBe('redacted')
    expect(logged.payload.answer[0].text).toBe(shown)
    expect(logged.security.policy_violations).toMatchObject([
      { rule_id: 'bird', step: 'output_inspection', action: 'redact' },
      { rule_id: 'ticket', step: 'output_inspection', action: 'redact' },
    ])
  })

  test.each([1, 3, 7, 100])('never leaves in a stream, in pieces of %s', async (size) => {
    const pieces = said.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    here.upstream.reply(streamed(pieces))
    const answer = expectStatus(await ask(here.tenant.admin, 'hello', { stream: true }), 200)
    expect(textOf(framesOf(answer.text))).toBe(shown)
  })

  test('is held back to its end where it is longer than the window', async () => {
    here.upstream.reply(streamed([...'It is project bluebird of the northern marshes.']))
    const answer = expectStatus(await ask(here.tenant.admin, 'hello', { stream: true }), 200)
    expect(textOf(framesOf(answer.text))).toBe('It is [removed: long].')
  })

  test('is asked for in words that the model never saw', async () => {
    here.upstream.reply(sayBack(({ body }) => `You said: ${body.messages.at(-1).content}`))
    const { data } = expectStatus(await ask(here.tenant.admin, 'say bluebird'), 200).body
    expect(data.choices[0].message.content).toBe('You said: say [removed: bird]')
  })
})
