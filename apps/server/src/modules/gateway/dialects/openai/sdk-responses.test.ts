import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, chunks, delta, usage } from '../../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'
import { streamed } from '../../testing/upstream.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld()
})
afterAll(() => at.close())

const weather = {
  type: 'function' as const,
  name: 'weather',
  parameters: { type: 'object', properties: { town: { type: 'string' } } },
  strict: false,
}

describe('a response', () => {
  test('is in the form of the vendor and kept by nobody', async () => {
    at.upstream.reply(answer({ content: 'It is blue.' }))
    const said = await at.openai.responses.create({
      model: 'test-model',
      instructions: 'Be brief.',
      input: 'What color is the sky?',
      max_output_tokens: 50,
    })
    expect(said.output_text).toBe('It is blue.')
    expect(said).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: 'response',
      status: 'completed',
      store: false,
      model: 'served-model',
      instructions: 'Be brief.',
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    })
    expect(at.upstream.received.at(-1)?.body).toMatchObject({
      messages: [
        { role: 'system', content: expect.stringContaining('Be brief.') },
        { role: 'user', content: 'What color is the sky?' },
      ],
      max_tokens: 50,
    })
  })

  test('calls tools at once and goes on with their results', async () => {
    const call = (id: string, town: string) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: JSON.stringify({ town }) },
    })
    at.upstream.reply(
      answer({ content: null, tool_calls: [call('call_a', 'Bern'), call('call_b', 'Genf')] }, 'tool_calls'),
      answer({ content: 'Sunny in both.' }),
    )
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How is the weather?' }]
    const first = await at.openai.responses.create({ model: 'test-model', input, tools: [weather] })
    expect(first.output).toMatchObject([
      { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"town":"Bern"}', status: 'completed' },
      { type: 'function_call', call_id: 'call_b', name: 'weather', arguments: '{"town":"Genf"}' },
    ])
    for (const item of first.output) if (item.type === 'function_call') input.push(item)
    for (const call_id of ['call_a', 'call_b']) input.push({ type: 'function_call_output', call_id, output: 'sunny' })
    const second = await at.openai.responses.create({ model: 'test-model', input, tools: [weather] })
    expect(second.output_text).toBe('Sunny in both.')
    expect(at.upstream.received.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'How is the weather?' },
      { role: 'assistant', content: null, tool_calls: [call('call_a', 'Bern'), call('call_b', 'Genf')] },
      { role: 'tool', content: 'sunny', tool_call_id: 'call_a' },
      { role: 'tool', content: 'sunny', tool_call_id: 'call_b' },
    ])
  })

  test('has the form of a schema, which the client reads', async () => {
    at.upstream.reply(answer({ content: '{"ok":true}' }))
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } } }
    const read = await at.openai.responses.parse({
      model: 'test-model',
      input: 'Is it so?',
      text: { format: { type: 'json_schema', name: 'verdict', schema, strict: true } },
    })
    expect(read.output_parsed).toEqual({ ok: true })
    expect(at.upstream.received.at(-1)?.body.response_format.json_schema).toEqual({
      name: 'verdict',
      schema,
      strict: true,
    })
  })

  test('sees pictures', async () => {
    at.upstream.reply(answer({ content: 'A dot.' }))
    const url = 'data:image/png;base64,iVBORw0KGgo='
    await at.openai.responses.create({
      model: 'test-model',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: url, detail: 'auto' },
          ],
        },
      ],
    })
    expect(at.upstream.received.at(-1)?.body.messages[0].content).toEqual([
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url, detail: 'auto' } },
    ])
  })

  test('that ran out of tokens is incomplete', async () => {
    at.upstream.reply(answer({ content: 'And then' }, 'length'))
    const said = await at.openai.responses.create({ model: 'test-model', input: 'Tell a story' })
    expect(said).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
  })

  test('refuses what only its vendor could do, by the name of the member', async () => {
    const asking = at.openai.responses.create({ model: 'test-model', input: 'Search', tools: [{ type: 'web_search' }] })
    await expect(asking).rejects.toMatchObject({ status: 422, code: 'GW-022', param: 'tools[0]' })
    const background = at.openai.responses.create({ model: 'test-model', input: 'Later', background: true })
    await expect(background).rejects.toMatchObject({ status: 422, code: 'GW-022', param: 'background' })
    const item = [{ type: 'function_call', call_id: 'x' }] as never
    const wrong = at.openai.responses.create({ model: 'test-model', input: item })
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      code: 'API-001',
      param: expect.stringMatching(/^input\[0\]/),
    })
  })
})

describe('a response that goes on from another', () => {
  test('has what was said before, and its own instructions only', async () => {
    at.upstream.reply(answer({ content: 'Blue.' }), answer({ content: 'At night black.' }), answer({ content: 'Yes.' }))
    const first = await at.openai.responses.create({
      model: 'test-model',
      input: 'Color of the sky?',
      instructions: 'One.',
    })
    const second = await at.openai.responses.create({
      model: 'test-model',
      input: 'And at night?',
      instructions: 'Two.',
      previous_response_id: first.id,
    })
    const said = () =>
      at.upstream.received
        .at(-1)
        ?.body.messages.map(({ role, content }: { role: string; content: string }) => [role, content.split('\n')[0]])
    expect(said()).toEqual([
      ['system', 'Two.'],
      ['user', 'Color of the sky?'],
      ['assistant', 'Blue.'],
      ['user', 'And at night?'],
    ])
    await at.openai.responses.create({ model: 'test-model', input: 'Sure?', previous_response_id: second.id })
    expect(said()).toEqual([
      ['user', 'Color of the sky?'],
      ['assistant', 'Blue.'],
      ['user', 'And at night?'],
      ['assistant', 'At night black.'],
      ['user', 'Sure?'],
    ])
  })

  test('is refused where nothing, or not all, was kept', async () => {
    at.upstream.reply(answer({ content: 'Noted.' }))
    const goesOn = (id: string) =>
      expect(
        at.openai.responses.create({ model: 'test-model', input: 'Go on', previous_response_id: id }),
      ).rejects.toMatchObject({
        status: 409,
        code: 'GW-028',
        param: 'previous_response_id',
      })
    for (const id of ['resp_unknown', `resp_${'0'.repeat(32)}`]) {
      const nowhere = at.openai.responses.create({ model: 'test-model', input: 'Go on', previous_response_id: id })
      await expect(nowhere).rejects.toMatchObject({ status: 404, code: 'API-013', param: 'previous_response_id' })
    }
    const hidden = await at.openai.responses.create({
      model: 'test-model',
      input: 'Write to jane.doe@example.org please',
    })
    await goesOn(hidden.id)
    const unkept = await at.openai.responses.create(
      { model: 'test-model', input: 'Say nothing of this' },
      { headers: { 'X-Gateway-Retention': 'metadata' } },
    )
    await goesOn(unkept.id)
  })
})

describe('a streamed response', () => {
  test('is put together by the client to what a whole one says', async () => {
    at.upstream.reply(streamed(['Good ', 'morning ', 'to you.']))
    const run = at.openai.responses.stream({ model: 'test-model', input: 'Greet me' })
    const types: string[] = []
    for await (const event of run) types.push(event.type)
    expect([types[0], types[1], types.at(-1)]).toEqual([
      'response.created',
      'response.in_progress',
      'response.completed',
    ])
    const said = await run.finalResponse()
    expect(said.output_text).toBe('Good morning to you.')
    expect(said.usage).toMatchObject({ input_tokens: 11, output_tokens: 7 })
  })

  test('streams the arguments of tools', async () => {
    const call = (index: number, id: string) => ({
      index,
      id,
      type: 'function',
      function: { name: 'weather', arguments: '' },
    })
    at.upstream.reply(
      chunks([
        delta({ tool_calls: [call(0, 'call_a')] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"town":' } }] }),
        delta({ tool_calls: [call(1, 'call_b')] }),
        delta({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '"Bern"}' } }] }),
        delta({}, 'tool_calls'),
        { choices: [], usage },
      ]),
    )
    const run = at.openai.responses.stream({ model: 'test-model', input: 'Weather, streamed', tools: [weather] })
    const said = await run.finalResponse()
    expect(said.output).toMatchObject([
      { type: 'function_call', call_id: 'call_a', arguments: '{"town":"Bern"}' },
      { type: 'function_call', call_id: 'call_b', arguments: '{}' },
    ])
  })

  test('that breaks off is an error of the client’s own', async () => {
    at.upstream.reply(streamed(['Once upon a time, '], { broken: true }))
    const stream = await at.openai.responses.create({ model: 'test-model', input: 'Break off', stream: true })
    const types: string[] = []
    const reading = (async () => {
      for await (const event of stream) types.push(event.type)
    })()
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError)
    await expect(reading).rejects.toMatchObject({ code: 'GW-014' })
    expect(types).not.toContain('response.completed')
  })
})
