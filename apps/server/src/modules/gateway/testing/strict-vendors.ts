/**
 * Test support: providers that are as strict as their vendors. Each calls two tools at once in its first answer and one
 * in each of the next three, and then says that it is done. Used by client-loops.test.ts.
 */
import { eventMessage } from '../providers/adapters/aws-bedrock/testing/messages.ts'
import type { Received, Reply } from './upstream.ts'

// biome-ignore lint/suspicious/noExplicitAny: a vendor reads what it was sent freely.
type Json = any

const plainName = /^[A-Za-z0-9_-]{1,64}$/

/** The fault in a request; null if there is none. */
type Refusal = (body: Json, path: string) => string | null
type Answer = (
  calls: readonly Call[],
  turn: number,
  stream: boolean,
) => { readonly type: string; readonly text: string | Buffer }

interface Call {
  readonly id: string
  readonly name: string
  readonly input: object
}

interface Strict {
  readonly refusal: Refusal
  readonly toolNames: (body: Json) => readonly string[]
  /** How many of the model's turns stand in the conversation. */
  readonly turns: (body: Json) => number
  readonly answer: Answer
  readonly isStream: (body: Json, path: string) => boolean
}

const turnsWithCalls = 4

export function strictVendor(kind: string, refusals: string[]): Reply {
  return (response, received: Received) => {
    const vendor = received.path.endsWith('/responses') ? responses : vendors[kind]
    if (vendor === undefined) throw new Error(`no vendor ${kind}`)
    const { body, path } = received
    const wrong = vendor.refusal(body, path) ?? namesRefusal(vendor.toolNames(body))
    if (wrong !== null) {
      refusals.push(wrong)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: wrong, code: 400, type: 'invalid_request_error' }, message: wrong }),
      )
      return
    }
    const turn = vendor.turns(body)
    const names = vendor.toolNames(body).slice(0, turn === 0 ? 2 : 1)
    const calls =
      turn >= turnsWithCalls ? [] : names.map((name, at) => ({ id: idOf(kind, turn, at), name, input: { a: 'x' } }))
    const { type, text } = vendor.answer(calls, turn, vendor.isStream(body, path))
    response.writeHead(200, { 'content-type': type })
    response.end(text)
  }
}

/** As each vendor makes them. */
function idOf(kind: string, turn: number, at: number): string {
  if (kind === 'mistral') return `aB3dE6g${turn}${at}`
  if (kind === 'openai_compatible') return `functions.tool:${turn}${at}`
  return `call_${turn}${at}`
}

function namesRefusal(names: readonly string[]): string | null {
  const wrong = names.find((name) => !plainName.test(name))
  return wrong === undefined ? null : `invalid tool name ${wrong}`
}

const sse = (events: readonly object[], done = true): string =>
  `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}${done ? 'data: [DONE]\n\n' : ''}`

const chatMembers = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal'])

interface ChatRules {
  readonly ids: RegExp
  readonly members?: readonly string[]
  readonly wantsThought?: boolean
}

function chatRefusal({ ids, members = [], wantsThought = false }: ChatRules): Refusal {
  return (body) => {
    if (typeof body.user === 'string' && body.user.length > 64) return 'user is too long'
    const open = new Set<string>()
    for (const [index, message] of body.messages.entries()) {
      const extra = Object.keys(message).find((name) => !chatMembers.has(name) && !members.includes(name))
      if (extra !== undefined) return `unknown member messages[${index}].${extra}`
      if (
        message.role !== 'user' &&
        Array.isArray(message.content) &&
        message.content.some((part: Json) => part.type === 'image_url')
      )
        return 'images are for users only'
      if (message.role !== 'tool' && open.size > 0) return 'a call has no result'
      if (message.role === 'tool' && !open.delete(message.tool_call_id)) return 'a result has no call'
      for (const call of message.tool_calls ?? []) {
        if (!ids.test(call.id)) return `invalid id ${call.id}`
        JSON.parse(call.function.arguments)
        open.add(call.id)
      }
      if (wantsThought && message.tool_calls && !message.reasoning_content)
        return 'reasoning_content must be passed back'
    }
    return null
  }
}

function chatVendor(rules: ChatRules, thinks: boolean): Strict {
  return {
    refusal: chatRefusal(rules),
    toolNames: (body) => body.tools.map((tool: Json) => tool.function.name),
    turns: (body) => body.messages.filter((message: Json) => message.role === 'assistant').length,
    isStream: (body) => body.stream === true,
    answer: (calls, _turn, stream) => {
      const toolCalls = calls.map(({ id, name, input }, index) => ({
        ...(stream ? { index } : {}),
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }))
      const thought = thinks ? { reasoning_content: 'I think.' } : {}
      const said = calls.length > 0 ? { content: null, tool_calls: toolCalls } : { content: 'done' }
      const reason = calls.length > 0 ? 'tool_calls' : 'stop'
      const message = { role: 'assistant', ...thought, ...said }
      if (!stream) return json({ id: 'c', model: 'm', choices: [{ index: 0, message, finish_reason: reason }] })
      const chunk = (delta: object, finish: string | null) => ({
        id: 'c',
        choices: [{ index: 0, delta, finish_reason: finish }],
      })
      return { type: 'text/event-stream', text: sse([chunk(message, null), chunk({}, reason)]) }
    },
  }
}

const json = (body: object) => ({ type: 'application/json', text: JSON.stringify(body) })

/** OpenAI's newer interface, which wants its sealed thinking back. */
const responses: Strict = {
  refusal: (body) => {
    const items: readonly Json[] = body.input
    const called = new Set(items.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => id))
    const lost = items.find(({ type, call_id: id }) => type === 'function_call_output' && !called.has(id))
    if (lost !== undefined) return 'an output has no call'
    const thoughts = items.filter(({ type }) => type === 'reasoning')
    if (thoughts.some(({ encrypted_content: sealed }) => !sealed)) return 'a reasoning item has no content'
    const turns = items.filter(
      ({ type }, at) => type === 'function_call' && items[at - 1]?.type !== 'function_call',
    ).length
    return thoughts.length < turns ? 'a call has lost its reasoning item' : null
  },
  toolNames: (body) => body.tools.map(({ name }: Json) => name),
  turns: (body) =>
    body.input.filter(
      ({ type }: Json, at: number) => type === 'function_call' && body.input[at - 1]?.type !== 'function_call',
    ).length,
  isStream: (body) => body.stream === true,
  answer: (calls, turn, stream) => {
    const thought = {
      type: 'reasoning',
      id: `rs_${'0'.repeat(31)}${turn}`,
      summary: [],
      encrypted_content: 'gAAAAABsealed',
    }
    const items = calls.map(({ id, name, input }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }))
    const said = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'done', annotations: [] }],
    }
    const output = calls.length > 0 ? [thought, ...items] : [said]
    const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output }
    if (!stream) return json(response)
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item },
        ...(item.type === 'message'
          ? [{ type: 'response.output_text.done', output_index: index, content_index: 0, text: 'done' }]
          : []),
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response },
    ]
    return { type: 'text/event-stream', text: sse(events, false) }
  },
}

const anthropic: Strict = {
  refusal: ({ messages, max_tokens: most }) => {
    if (!Number.isInteger(most)) return 'max_tokens is missing'
    for (const [index, { content, role }] of messages.entries()) {
      if (index > 0 && messages[index - 1].role === role) return 'roles take turns'
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      for (const block of blocks) {
        if (block.type === 'text' && block.text.trim() === '') return 'text has to have words'
        if (block.type === 'thinking' && block.signature !== 'c2lnbmVk') return 'invalid signature'
        if (block.type === 'tool_use' && !/^[A-Za-z0-9_-]+$/.test(block.id)) return `invalid id ${block.id}`
      }
      const uses = blocks.filter(({ type }: Json) => type === 'tool_use').map(({ id }: Json) => id)
      const next = messages[index + 1]?.content ?? []
      if (uses.some((id: string) => !next.some((block: Json) => block.tool_use_id === id)))
        return 'a call has no result'
    }
    return null
  },
  toolNames: (body) => body.tools.map(({ name }: Json) => name),
  turns: (body) => body.messages.filter(({ role }: Json) => role === 'assistant').length,
  isStream: (body) => body.stream === true,
  answer: (calls, _turn, stream) => {
    const thought = { type: 'thinking', thinking: 'I think.', signature: 'c2lnbmVk' }
    const content =
      calls.length > 0
        ? [thought, ...calls.map((call) => ({ type: 'tool_use', ...call }))]
        : [{ type: 'text', text: 'done' }]
    const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
    const usage = { input_tokens: 5, output_tokens: 3 }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, ...stop, usage }
    if (!stream) return json(message)
    const blocks = content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ])
    const begin = { type: 'message_start', message: { ...message, content: [], stop_reason: null } }
    const end = [{ type: 'message_delta', delta: stop, usage }, { type: 'message_stop' }]
    return { type: 'text/event-stream', text: sse([begin, ...blocks, ...end], false) }
  },
}

const gemini: Strict = {
  refusal: ({ contents, tools }) => {
    if (tools[0].functionDeclarations.some(({ parameters }: Json) => parameters !== undefined)) return 'unknown schema'
    for (const [index, { parts, role }] of contents.entries()) {
      if (parts.some(({ text }: Json) => text === '')) return 'a part is empty'
      const calls = parts.filter(({ functionCall }: Json) => functionCall)
      if (role === 'model' && calls.length > 0 && !calls[0].thoughtSignature) return 'missing a thought_signature'
      const results = (contents[index + 1]?.parts ?? []).filter(({ functionResponse }: Json) => functionResponse)
      if (calls.length !== results.length && calls.length > 0) return 'as many results as calls'
    }
    return null
  },
  toolNames: (body) => body.tools[0].functionDeclarations.map(({ name }: Json) => name),
  turns: (body) => body.contents.filter(({ role }: Json) => role === 'model').length,
  isStream: (_body, path) => path.includes('stream'),
  answer: (calls, _turn, stream) => {
    const called = calls.map(({ name, input }, at) => ({
      functionCall: { name, args: input },
      ...(at === 0 ? { thoughtSignature: 'c2lnbmVk' } : {}),
    }))
    const parts = calls.length > 0 ? [{ text: 'I think.', thought: true }, ...called] : [{ text: 'done' }]
    const body = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], responseId: 'r' }
    return stream ? { type: 'text/event-stream', text: sse([body], false) } : json(body)
  },
}

const bedrock: Strict = {
  refusal: ({ messages }) => {
    const blocks: readonly Json[] = messages.flatMap(({ content }: Json) => content)
    if (blocks.some(({ text }) => typeof text === 'string' && text.trim() === '')) return 'text is blank'
    const ids = blocks.flatMap(({ toolUse, toolResult }) => [toolUse?.toolUseId, toolResult?.toolUseId].filter(Boolean))
    const wrong = ids.find((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id))
    if (wrong !== undefined) return `invalid id ${wrong}`
    const isEmpty = blocks.some(({ toolResult }) => toolResult?.content.length === 0)
    return isEmpty ? 'a result is empty' : null
  },
  toolNames: (body) => body.toolConfig.tools.flatMap(({ toolSpec }: Json) => (toolSpec ? [toolSpec.name] : [])),
  turns: (body) => body.messages.filter(({ role }: Json) => role === 'assistant').length,
  isStream: (_body, path) => path.includes('stream'),
  answer: (calls, _turn, stream) => {
    const stopReason = calls.length > 0 ? 'tool_use' : 'end_turn'
    const uses = calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } }))
    const content = calls.length > 0 ? uses : [{ text: 'done' }]
    if (!stream) return json({ output: { message: { role: 'assistant', content } }, stopReason })
    const blocks = content.flatMap((block, index): Buffer[] => {
      const at = { contentBlockIndex: index }
      const end = eventMessage('contentBlockStop', at)
      if ('text' in block) return [eventMessage('contentBlockDelta', { ...at, delta: { text: block.text } }), end]
      const { toolUseId, name, input } = block.toolUse
      const delta = { toolUse: { input: JSON.stringify(input) } }
      return [
        eventMessage('contentBlockStart', { ...at, start: { toolUse: { toolUseId, name } } }),
        eventMessage('contentBlockDelta', { ...at, delta }),
        end,
      ]
    })
    const all = [
      eventMessage('messageStart', { role: 'assistant' }),
      ...blocks,
      eventMessage('messageStop', { stopReason }),
    ]
    return { type: 'application/vnd.amazon.eventstream', text: Buffer.concat(all) }
  },
}

const vendors: Readonly<Record<string, Strict>> = {
  openai: chatVendor({ ids: /^.{1,40}$/ }, false),
  azure_openai: chatVendor({ ids: /^.{1,40}$/ }, false),
  openai_compatible: chatVendor({ ids: /^.+$/, members: ['reasoning_content'], wantsThought: true }, true),
  mistral: chatVendor({ ids: /^[A-Za-z0-9]{9}$/ }, false),
  anthropic,
  google_gemini: gemini,
  aws_bedrock: bedrock,
}
