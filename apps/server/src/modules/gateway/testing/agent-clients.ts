/**
 * Test support: agents in the shapes their programs send. Each asks, runs the tools it is told to, sends everything back it
 * was given, and stops when no tool is called. Used by client-loops.test.ts.
 */
import { eventsIn } from './sse-events.ts'

// biome-ignore lint/suspicious/noExplicitAny: clients keep what they get and send it back.
type Json = any

export interface Turn {
  readonly names: readonly string[]
  readonly text: string
}

export type Post = (path: string, body: object, headers?: Record<string, string>) => Promise<string>

/** Runs a loop to its end and tells its turns. */
export type Agent = (post: Post, model: string, tools: readonly string[]) => Promise<readonly Turn[]>

const mostTurns = 8
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const claudeCode: Agent = async (post, model, names) => {
  const cache_control = { type: 'ephemeral' }
  const tools = names.map((name) => ({ name, description: 'Does', input_schema: schema, cache_control }))
  const messages: Json[] = [{ role: 'user', content: [{ type: 'text', text: 'Do it.', cache_control }] }]
  const turns: Turn[] = []
  while (turns.length < mostTurns) {
    const body = {
      ...{ model, max_tokens: 32_000, stream: true, messages, tools, temperature: 1 },
      system: [{ type: 'text', text: 'You are an agent.', cache_control }],
      thinking: { type: 'enabled', budget_tokens: 4000 },
      metadata: { user_id: `user_${'0a'.repeat(32)}_account__session_1b4e28ba-2fa1-11d2-883f-0016d3cca427` },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    }
    const betas = 'claude-code-20250219,interleaved-thinking-2025-05-14'
    const blocks = blocksOf(eventsIn(await post('/anthropic/v1/messages?beta=true', body, { 'anthropic-beta': betas })))
    const uses = blocks.filter(({ type }) => type === 'tool_use')
    turns.push({ names: uses.map(({ name }) => name), text: blocks.map(({ text = '' }) => text).join('') })
    if (uses.length === 0) break
    const results = uses.map(({ id }, at) => ({
      ...{ type: 'tool_result', tool_use_id: id, is_error: at === 1 },
      content:
        turns.length === 2 ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }] : 'ok',
    }))
    messages.push({ role: 'assistant', content: blocks }, { role: 'user', content: results })
  }
  return turns
}

/** The blocks of a streamed message as the vendor's client puts them together. */
function blocksOf(events: readonly Json[]): Json[] {
  const blocks: Json[] = []
  const inputs = new Map<number, string>()
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'error') throw new Error(JSON.stringify(events))
    if (type === 'content_block_start') blocks[index] = { ...block }
    if (type !== 'content_block_delta') continue
    const one = blocks[index]
    if (delta.type === 'text_delta') one.text += delta.text
    if (delta.type === 'thinking_delta') one.thinking += delta.thinking
    if (delta.type === 'signature_delta') one.signature = delta.signature
    if (delta.type === 'input_json_delta') inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json)
  }
  for (const [index, text] of inputs) blocks[index].input = JSON.parse(text)
  return blocks
}

const agentsSdk: Agent = async (post, model, names) => {
  const tools = names.map((name) => ({
    type: 'function',
    name,
    description: 'Does',
    parameters: { ...schema, additionalProperties: false },
    strict: false,
  }))
  const input: Json[] = [{ role: 'user', content: 'Do it.' }]
  const turns: Turn[] = []
  while (turns.length < mostTurns) {
    const body = {
      model,
      instructions: 'You are an agent.',
      input,
      tools,
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
    }
    const events = eventsIn(await post('/openai/v1/responses', body))
    const output: Json[] = events.find(({ type }) => type === 'response.completed')?.response.output ?? []
    const calls = output.filter(({ type }) => type === 'function_call')
    const said = output
      .flatMap(({ content = [] }) => content)
      .map(({ text = '', type }) => (type === 'output_text' ? text : ''))
    turns.push({ names: calls.map(({ name }) => name), text: said.join('') })
    if (calls.length === 0) break
    input.push(...output, ...calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'ok' })))
  }
  return turns
}

interface ChatStyle {
  readonly stream: boolean
  readonly settings: object
  readonly content: unknown
  /** The assistant's message as the client sends it back. */
  readonly back: (message: Json) => Json
}

function chatAgent({ stream, settings, content, back }: ChatStyle): Agent {
  return async (post, model, names) => {
    const tools = names.map((name) => ({
      type: 'function',
      function: { name, description: 'Does', parameters: schema },
    }))
    const messages: Json[] = [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content },
    ]
    const turns: Turn[] = []
    while (turns.length < mostTurns) {
      const text = await post('/openai/v1/chat/completions', {
        model,
        messages,
        tools,
        tool_choice: 'auto',
        stream,
        ...settings,
      })
      const message = stream ? messageOf(eventsIn(text)) : JSON.parse(text).choices[0].message
      const calls: Json[] = message.tool_calls ?? []
      turns.push({ names: calls.map((call) => call.function.name), text: message.content ?? '' })
      if (calls.length === 0) break
      for (const call of calls) JSON.parse(call.function.arguments)
      messages.push(back(message), ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })))
    }
    return turns
  }
}

/** The message of a stream as the vendor's client puts it together. */
function messageOf(chunks: readonly Json[]): Json {
  const message: Json = { role: 'assistant', content: '', tool_calls: [] }
  for (const { choices, error } of chunks) {
    if (error) throw new Error(JSON.stringify(error))
    const delta = choices?.[0]?.delta ?? {}
    message.content += delta.content ?? ''
    if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
    for (const { index, function: called, ...rest } of delta.tool_calls ?? []) {
      const call = message.tool_calls[index] ?? { function: { name: '', arguments: '' } }
      message.tool_calls[index] = {
        ...call,
        ...rest,
        function: {
          name: call.function.name + (called?.name ?? ''),
          arguments: call.function.arguments + (called?.arguments ?? ''),
        },
      }
    }
  }
  return message
}

export const agents: Readonly<Record<string, Agent>> = {
  'Claude Code': claudeCode,
  'the Agents SDK': agentsSdk,
  'the AI SDK': chatAgent({
    stream: true,
    settings: { stream_options: { include_usage: true } },
    content: [{ type: 'text', text: 'Do it.' }],
    back: (message) => message,
  }),
  LangChain: chatAgent({
    stream: false,
    settings: { n: 1, temperature: 0.7 },
    content: 'Do it.',
    // It keeps no more of an answer than its text, its calls, and the thinking that some servers want back.
    back: ({ tool_calls, reasoning_content }) => ({
      role: 'assistant',
      content: '',
      tool_calls,
      ...(reasoning_content ? { reasoning_content } : {}),
    }),
  }),
}
