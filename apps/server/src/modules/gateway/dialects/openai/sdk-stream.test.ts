import { request } from 'node:http'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chunks, delta, usage } from '../../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'
import { streamed } from '../../testing/upstream.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld()
})
afterAll(() => at.close())

let asked = 0
function chat(over: object = {}): OpenAI.Chat.ChatCompletionCreateParamsStreaming {
  asked += 1
  return { model: 'test-model', stream: true, messages: [{ role: 'user', content: `Question ${asked}` }], ...over }
}

async function read(stream: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>) {
  const all: OpenAI.Chat.ChatCompletionChunk[] = []
  for await (const chunk of stream) all.push(chunk)
  return all
}

const textOf = (all: readonly OpenAI.Chat.ChatCompletionChunk[]) =>
  all.map(({ choices }) => choices[0]?.delta.content ?? '').join('')

/** The stream as it is on the wire. */
function bytes(body: object) {
  return new Promise<{ text: string; headers: object; trailers: object }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${at.key}`, 'content-type': 'application/json' }
    const url = `${at.address}/api/v1/gateway/openai/v1/chat/completions`
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ text, headers: answer.headers, trailers: answer.trailers }))
    })
    sent.on('error', reject).end(JSON.stringify(body))
  })
}

describe('a chat stream', () => {
  test('begins with the role and ends with a reason and no usage when nobody asked', async () => {
    at.upstream.reply(streamed(['Good ', 'morning ', 'to you.']))
    const all = await read(await at.openai.chat.completions.create(chat()))
    expect(all[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(textOf(all)).toBe('Good morning to you.')
    expect(all.at(-1)?.choices[0]?.finish_reason).toBe('stop')
    expect(all.every((chunk) => !('usage' in chunk) && chunk.choices.length === 1)).toBe(true)
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(['x']))
  })

  test('says what was used when it is asked to', async () => {
    at.upstream.reply(streamed(['Hi']))
    const all = await read(await at.openai.chat.completions.create(chat({ stream_options: { include_usage: true } })))
    expect(all.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    })
    expect(all.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true)
  })

  test('ends with [DONE], and what is known late comes as trailers', async () => {
    at.upstream.reply(streamed(['Hi']))
    const { text, headers, trailers } = await bytes(chat())
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-gateway-provider': 'local',
      trailer: 'x-gateway-pii-detected, x-gateway-violations, x-gateway-pipeline-ms, x-gateway-cost',
    })
    expect(headers).not.toHaveProperty('x-gateway-cost')
    expect(trailers).toMatchObject({
      'x-gateway-pii-detected': 'false',
      'x-gateway-violations': '0',
      'x-gateway-pipeline-ms': expect.stringMatching(/^\d/),
      'x-gateway-cost': expect.any(String),
    })
  })

  test('streams the arguments of tools that are called at once', async () => {
    const call = (index: number, id: string) => ({
      index,
      id,
      type: 'function',
      function: { name: 'weather', arguments: '' },
    })
    const piece = (index: number, text: string) => ({ index, function: { arguments: text } })
    at.upstream.reply(
      chunks([
        delta({ role: 'assistant', content: null, tool_calls: [call(0, 'call_a')] }),
        delta({ tool_calls: [piece(0, '{"town":')] }),
        delta({ tool_calls: [call(1, 'call_b')] }),
        delta({ tool_calls: [piece(1, '{"town":"Genf"}')] }),
        delta({ tool_calls: [piece(0, '"Bern"}')] }),
        delta({}, 'tool_calls'),
        { choices: [], usage },
      ]),
    )
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }]
    const run = at.openai.chat.completions.stream({ ...chat(), tools })
    const { choices } = await run.finalChatCompletion()
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_a', function: { name: 'weather', arguments: '{"town":"Bern"}' } },
      { id: 'call_b', function: { name: 'weather', arguments: '{"town":"Genf"}' } },
    ])
  })

  test('is read by the client’s own helper, structured output included', async () => {
    at.upstream.reply(streamed(['{"ok"', ':tr', 'ue}']))
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } } }
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'verdict', schema } }
    const run = at.openai.chat.completions.stream({ ...chat(), response_format })
    expect(JSON.parse((await run.finalChatCompletion()).choices[0]?.message.content ?? '')).toEqual({ ok: true })
  })

  test('has the words of the built-in provider, piece by piece', async () => {
    const content = 'A long question about nothing in particular. '.repeat(8)
    const all = await read(
      await at.openai.chat.completions.create(
        chat({ model: 'echo-1', messages: [{ role: 'user', content }], metadata: { echo_chunk_chars: '3' } }),
      ),
    )
    expect(all.length).toBeGreaterThan(1)
    expect(textOf(all)).toContain('[offline demo: no language model was called]')
  })
})

describe('a chat stream that cannot go on', () => {
  test('is an error of the client’s own when its provider breaks off, and never [DONE]', async () => {
    at.upstream.reply(streamed(['Once upon a time, ', 'there was '], { broken: true }))
    const stream = await at.openai.chat.completions.create(chat())
    const error = await read(stream).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(error).toMatchObject({ code: 'GW-014', type: 'server_error' })
    at.upstream.reply(streamed(['Once upon a time, ', 'there was '], { broken: true }))
    const { text } = await bytes(chat())
    expect(text).not.toContain('[DONE]')
    expect(text).not.toContain('"finish_reason":"stop"')
  })

  test('is blocked in the middle with the code of the block', async () => {
    const document = { output: { secrets: 'block' } }
    const made = await at.admin.post('/gateway/policies', {
      name: 'no-secrets',
      document,
      bindings: [{ kind: 'tenant' }],
    })
    await at.admin.post(`/gateway/policies/${made.body.data.id}/publish`, { version: 1, note: 'for the test' })
    const stream = await at.openai.chat.completions.create(
      chat({ model: 'echo-script-1', messages: [{ role: 'user', content: 'say a secret' }] }),
    )
    const said: string[] = []
    const reading = (async () => {
      for await (const chunk of stream) said.push(chunk.choices[0]?.delta.content ?? '')
    })()
    await expect(reading).rejects.toMatchObject({ code: 'GW-006', type: 'content_filter', param: null })
    expect(said.join('')).not.toContain('AKIA')
  })
})
