/** OpenAI Responses from its own client to its own kind of provider: the same form end to end. */
import type OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { body } from '../../testing/openai-replies.ts'
import { type OpenAiWorld, openOpenAiWorld } from '../../testing/openai-world.ts'
import { addProvider } from '../../testing/support.ts'
import { raw } from '../../testing/upstream.ts'

let at: OpenAiWorld
beforeAll(async () => {
  at = await openOpenAiWorld()
  await addProvider(at.admin, 'vendor', at.upstream, { kind: 'openai', models: ['gpt-*'] })
})
afterAll(() => at.close())

const output = [
  {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'The user wants news.' }],
    encrypted_content: 'c2VhbGVk',
  },
  { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'foxes' } },
  {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'Foxes are red, says ann@example.org.',
        annotations: [
          { type: 'url_citation', url: 'https://example.com/fox', title: 'Fox', start_index: 0, end_index: 5 },
        ],
        logprobs: [],
      },
    ],
  },
  {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_1',
    name: 'weather',
    arguments: '{"town":"Bern"}',
  },
]
const usage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 3, cache_write_tokens: 4, novel_tokens: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
  novel_units: 2,
}
const response = (over: object = {}) => ({
  id: 'resp_vendor',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'gpt-served',
  instructions: 'Be brief. And the secret words of the policy.',
  output,
  usage,
  store: false,
  reasoning: { effort: 'low', summary: 'detailed' },
  novelty: { deep: [1] },
  ...over,
})
const hidden = JSON.parse(JSON.stringify(output).replace('ann@example.org', '⟦OUT_EMAIL_1⟧'))
const tools = [
  { type: 'web_search' },
  { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false },
] as unknown as OpenAI.Responses.Tool[]
const asking = { model: 'gpt-test', input: 'Tell me', tools, include: ['reasoning.encrypted_content' as const] }
const plain = (over: object = {}) => ({ ...asking, ...over }) as OpenAI.Responses.ResponseCreateParamsNonStreaming

test('the vendor gets the body as it is, and nothing to keep', async () => {
  at.upstream.reply(body(response()))
  const input = [
    { role: 'user', content: 'Write to jane@example.org' },
    output[0],
    output[1],
    { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'rain' },
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'Rain.' },
        { type: 'novel', x: 1 },
      ],
    },
    { role: 'user', content: [{ type: 'input_text', text: 'And now?' }], novel: true },
  ]
  const own = { text: { verbosity: 'low' }, reasoning: { effort: 'low', summary: 'auto' }, prompt_cache_key: 'k' }
  await at.openai.responses.create(plain({ ...own, input, store: true, instructions: 'Be brief.' }))
  const { path, body: sent } = at.upstream.received.at(-1) ?? {}
  expect(path).toBe('/v1/responses')
  expect(sent).toMatchObject({ ...own, model: 'gpt-test', store: false, tools, include: asking.include })
  expect(sent.instructions).toMatch(/^Be brief\./)
  expect(sent.input).toEqual([
    { type: 'message', role: 'user', content: 'Write to ⟦EMAIL_1⟧' },
    ...input.slice(1, 6),
    { type: 'message', role: 'user', content: 'And now?', novel: true },
  ])
})

test('a complete answer comes back as the vendor said it, inspected', async () => {
  at.upstream.reply(body(response()))
  const said = await at.openai.responses.create(plain({ input: 'Once', instructions: 'Be brief.' }))
  expect(said.output).toEqual(hidden)
  expect(said).toMatchObject({
    id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
    status: 'completed',
    model: 'gpt-served',
    instructions: 'Be brief.',
    reasoning: { effort: 'low', summary: 'detailed' },
    novelty: { deep: [1] },
    usage,
  })
  const [logged] = (await at.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
  expect(logged).toMatchObject({ provider: 'vendor', decision: 'redacted', usage: { prompt_tokens: 11 } })
})

/** The vendor's frames, texts in pieces of `size`. */
function frames(size: number): string {
  const { output: _, ...head } = response({ status: 'in_progress', usage: null })
  const pieces = (text: string): readonly string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  const [thought, search, message, call] = output
  const text = message?.content?.[0]?.text ?? ''
  const part = { ...message?.content?.[0] }
  const all: object[] = [
    { type: 'response.created', response: { ...head, output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...thought, summary: [] } },
    {
      ...{ type: 'response.reasoning_summary_part.added', item_id: 'rs_1', output_index: 0, summary_index: 0 },
      part: { type: 'summary_text', text: '' },
    },
    ...pieces('The user wants news.').map((delta) => ({
      ...{ type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', output_index: 0, summary_index: 0, delta },
    })),
    {
      ...{ type: 'response.reasoning_summary_text.done', item_id: 'rs_1', output_index: 0, summary_index: 0 },
      text: 'The user wants news.',
    },
    { type: 'response.output_item.done', output_index: 0, item: thought },
    { type: 'response.output_item.added', output_index: 1, item: { ...search, status: 'in_progress' } },
    { type: 'response.web_search_call.searching', item_id: 'ws_1', output_index: 1 },
    { type: 'response.output_item.done', output_index: 1, item: search },
    { type: 'response.output_item.added', output_index: 2, item: { ...message, status: 'in_progress', content: [] } },
    {
      ...{ type: 'response.content_part.added', item_id: 'msg_1', output_index: 2, content_index: 0 },
      part: { ...part, text: '', annotations: [] },
    },
    ...pieces(text).map((delta) => ({
      ...{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 2, content_index: 0 },
      delta,
      logprobs: [],
    })),
    {
      ...{ type: 'response.output_text.done', item_id: 'msg_1', output_index: 2, content_index: 0 },
      text,
      logprobs: [],
    },
    { type: 'response.content_part.done', item_id: 'msg_1', output_index: 2, content_index: 0, part },
    { type: 'response.output_item.done', output_index: 2, item: message },
    { type: 'response.output_item.added', output_index: 3, item: { ...call, arguments: '', status: 'in_progress' } },
    ...pieces('{"town":"Bern"}').map((delta) => ({
      ...{ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 3, delta },
    })),
    {
      ...{ type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 3 },
      arguments: '{"town":"Bern"}',
    },
    { type: 'response.output_item.done', output_index: 3, item: call },
    { type: 'response.completed', response: response() },
  ]
  return all
    .map((frame, sequence_number) => `data: ${JSON.stringify({ ...frame, sequence_number, obfuscation: 'x' })}\n\n`)
    .join('')
}

test.each([1, 4, 100])('a stream in pieces of %i says the same', async (size) => {
  at.upstream.reply(raw(frames(size), 'text/event-stream'))
  const stream = at.openai.responses.stream({ ...plain({ input: `Streamed ${size}` }), stream: true } as never)
  const seen: string[] = []
  let said = ''
  for await (const event of stream) {
    if (seen.at(-1) !== event.type) seen.push(event.type)
    if (event.type === 'response.output_text.delta') said += event.delta
  }
  expect(said).toBe('Foxes are red, says ⟦OUT_EMAIL_1⟧.')
  expect(seen.slice(0, 5)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
  ])
  expect(seen).toContain('response.web_search_call.searching')
  expect(seen.at(-1)).toBe('response.completed')
  const final = await stream.finalResponse()
  expect(final.output).toMatchObject(hidden)
  expect(final.usage).toEqual(usage)
})

test('a stream that breaks off has no end, and one that fails at once is an error', async () => {
  const cut = frames(4).split('\n\n').slice(0, 20).join('\n\n')
  at.upstream.reply(raw(`${cut}\n\n`, 'text/event-stream'))
  const broken = await at.openai.responses.create({ ...plain({ input: 'Cut' }), stream: true } as never)
  const seen: string[] = []
  const reading = (async () => {
    for await (const event of broken as unknown as AsyncIterable<{ type: string }>) seen.push(event.type)
  })()
  await expect(reading).rejects.toMatchObject({ code: 'GW-014' })
  expect(seen).not.toContain('response.completed')
  at.upstream.reply(body(response({ status: 'failed', output: [], error: { code: 'server_error', message: 'No.' } })))
  await expect(at.openai.responses.create(plain({ input: 'Fail' }))).rejects.toMatchObject({ code: 'GW-011' })
})

test('what was said before goes to the vendor from our log', async () => {
  const clean = response({ output: [{ ...output[2], content: [{ type: 'output_text', text: 'Blue.' }] }] })
  at.upstream.reply(body(clean))
  const first = await at.openai.responses.create({ model: 'gpt-test', input: 'Color of the sky?' })
  await at.openai.responses.create({ model: 'gpt-test', input: 'Sure?', previous_response_id: first.id })
  const sent = at.upstream.received.at(-1)?.body
  expect(sent.previous_response_id).toBeUndefined()
  expect(sent.input.map(({ role, content }: Record<string, unknown>) => [role, content])).toEqual([
    ['user', 'Color of the sky?'],
    ['assistant', 'Blue.'],
    ['user', 'Sure?'],
  ])
})
