/** Values in JSON answers, where every character may be escaped, and in names of tools. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, chunks, delta } from '../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../testing/openai-world.ts'
import { onlyPolicy } from '../testing/policies.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld()
})
afterAll(() => at.close())

const spelled = (text: string): string =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const key = ['AKIA2OGY', 'BAH6STMMNXNW'].join('')
const address = `jane.doe${spelled('@')}example.org`
const tools = [{ type: 'function', function: { name: 'send', parameters: { type: 'object' } } }]
const called = (text: string, name = 'send') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: text } }],
})
const chat = (over: object = {}) =>
  at.admin.post('/gateway/openai/v1/chat/completions', {
    model: 'test-model',
    messages: [{ role: 'user', content: 'Hi' }],
    ...over,
  })

interface Answered {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly Called[] }
  }[]
}
interface Called {
  readonly function: { readonly name: string; readonly arguments: string }
}
const saidBy = (body: unknown): string => (body as Answered).choices[0]?.message.content ?? ''
const calledBy = (body: unknown) => (body as Answered).choices[0]?.message.tool_calls?.[0]?.function

async function streamedArguments(parts: readonly string[]): Promise<string> {
  const call = (index: number, text: string) =>
    delta({
      tool_calls: [
        index === 0
          ? { index: 0, id: 'c1', type: 'function', function: { name: 'send', arguments: text } }
          : { index: 0, function: { arguments: text } },
      ],
    })
  at.upstream.reply(chunks([...parts.map((text, index) => call(index, text)), delta({}, 'tool_calls')]))
  const { text } = await at.admin.post('/gateway/openai/v1/chat/completions', {
    ...{ model: 'test-model', stream: true, tools, messages: [{ role: 'user', content: 'Hi' }] },
  })
  const found = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  return found.map(({ choices }) => choices?.[0]?.delta?.tool_calls?.[0]?.function?.arguments ?? '').join('')
}

test('an address that is spelled out is hidden in the arguments of a tool, and they stay JSON', async () => {
  await onlyPolicy(at.tenant, {})
  at.upstream.reply(answer(called(`{"to":"${address}","text":"from\\njane.doe@example.org \\"x\\""}`), 'tool_calls'))
  const { body } = await chat({ tools })
  expect(JSON.parse(calledBy(body)?.arguments ?? '')).toEqual({ to: '⟦OUT_EMAIL_1⟧', text: 'from\n⟦OUT_EMAIL_1⟧ "x"' })
})

test.each([1, 3, 7, 200])('the same in a stream cut every %i characters', async (size) => {
  await onlyPolicy(at.tenant, {})
  const text = `{"to":"${address}","n":1}`
  const parts = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  expect(JSON.parse(await streamedArguments(parts))).toEqual({ to: '⟦OUT_EMAIL_1⟧', n: 1 })
})

test('a key that is spelled out is refused where keys are', async () => {
  await onlyPolicy(at.tenant, { output: { secrets: 'block' } })
  at.upstream.reply(answer(called(`{"k":"${spelled(key)}"}`), 'tool_calls'))
  expect((await chat({ tools })).status).toBe(422)
  expect(await streamedArguments(['{"k":"', spelled(key), '"}'])).not.toContain(spelled(key).slice(-24))
})

test('the same in an answer that was asked for as JSON', async () => {
  await onlyPolicy(at.tenant, { output: { secrets: 'block' } })
  at.upstream.reply(answer({ role: 'assistant', content: `{"k":"${spelled(key)}"}` }, 'stop'))
  expect((await chat({ response_format: { type: 'json_object' } })).status).toBe(422)
})

test('the name of a tool is a text too', async () => {
  await onlyPolicy(at.tenant, { output: { secrets: 'block' } })
  at.upstream.reply(answer(called('{}', `leak_${key}`), 'tool_calls'))
  expect((await chat({ tools })).status).toBe(422)
})

test('a value with quotes that is put back into JSON leaves it JSON', async () => {
  const custom = [{ name: 'PART_NUMBER', pattern: 'P"\\d{6}"' }]
  await onlyPolicy(at.tenant, {
    sensitive_data: { custom, entities: { PART_NUMBER: { action: 'redact', restore: true } } },
  })
  at.upstream.reply(answer({ role: 'assistant', content: '{"part":"⟦PART_NUMBER_1⟧"}' }, 'stop'))
  const messages = [{ role: 'user', content: 'Look up P"123456" please' }]
  const { body } = await chat({ messages, response_format: { type: 'json_object' } })
  expect(JSON.parse(saidBy(body))).toEqual({ part: 'P"123456"' })
})
