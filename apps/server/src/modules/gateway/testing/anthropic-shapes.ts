/** Answers and streams in the shapes that Anthropic documents, made up here. */

export const usage = {
  input_tokens: 11,
  cache_creation_input_tokens: 5,
  cache_read_input_tokens: 3,
  cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
  output_tokens: 7,
  output_tokens_details: { thinking_tokens: 4 },
  service_tier: 'standard',
}

const head = { id: 'msg_01', type: 'message', role: 'assistant', model: 'claude-test-1' }

export function message(content: readonly object[], over: object = {}) {
  return { ...head, content, stop_reason: 'end_turn', stop_sequence: null, usage, ...over }
}

/** Thinking, a remark, a call of the caller's tool. */
export const thoughtful = [
  { type: 'thinking', thinking: 'The user wants the weather.', signature: 'c2lnbmVk' },
  { type: 'redacted_thinking', data: 'b3BhcXVl' },
  { type: 'text', text: 'I will look it up.' },
  { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Zürich', days: 2 }, caller: { type: 'direct' } },
  { type: 'tool_use', id: 'toolu_2', name: 'clock', input: {} },
]

/** A search that runs at the vendor, and an answer that cites it. */
export const searched = [
  { type: 'text', text: 'I will search. ' },
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'foxes' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', url: 'https://example.org/fox', title: 'Fox', encrypted_content: 'abc' }],
  },
  {
    type: 'text',
    text: 'Foxes are red. ',
    citations: [
      { type: 'web_search_result_location', url: 'https://example.org/fox', cited_text: 'red', encrypted_index: 'x' },
    ],
  },
  { type: 'text', text: 'They bark.' },
]

/** The frames of a stream with these blocks, texts in pieces of `size` characters. */
export function framesOf(content: readonly object[], over: object = {}, size = 5): readonly object[] {
  const { stop_reason, stop_sequence, ...start } = { ...message([]), stop_reason: null, stop_sequence: null }
  const end = { stop_reason: 'end_turn', stop_sequence: null, ...over }
  const last = { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens }
  return [
    { type: 'message_start', message: { ...start, stop_reason, stop_sequence, usage: { ...usage, output_tokens: 1 } } },
    { type: 'ping' },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      ...deltasOf(block, size).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: end, usage: last },
    { type: 'message_stop' },
  ]
}

export function sseOf(frames: readonly object[]): string {
  return frames.map((frame) => `event: ${Reflect.get(frame, 'type')}\ndata: ${JSON.stringify(frame)}\n\n`).join('')
}

function emptied(block: object): object {
  const empty = { text: '', thinking: '', signature: '', input: {}, citations: [] }
  const own = Object.entries(empty).filter(([name]) => name in block)
  return { ...block, ...Object.fromEntries(own) }
}

function deltasOf(block: object, size: number): readonly object[] {
  const of = (name: string): string => {
    const value: unknown = Reflect.get(block, name)
    return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  }
  const pieces = (text: string): readonly string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  const citations: unknown = Reflect.get(block, 'citations')
  return [
    ...pieces(of('thinking')).map((thinking) => ({ type: 'thinking_delta', thinking })),
    ...pieces(of('text')).map((text) => ({ type: 'text_delta', text })),
    ...pieces(of('input')).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    ...(Array.isArray(citations) ? citations.map((citation) => ({ type: 'citations_delta', citation })) : []),
    ...(of('signature') === '' ? [] : [{ type: 'signature_delta', signature: of('signature') }]),
  ]
}
