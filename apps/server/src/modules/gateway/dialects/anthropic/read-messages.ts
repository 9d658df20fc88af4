/**
 * Messages as turns. A user's message may hold tool results, which are separate turns here; the order of blocks is
 * kept, so that a provider of the same form gets the original message. Tested in read.test.ts.
 */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import type { Part, ToolCall, Turn } from '../../call/call.ts'
import type { VendorMembers } from '../openai/vendor-members.ts'
import type { AnthropicBlock, AnthropicMessage, AnthropicResult, MessagesBody } from './messages-schema.ts'
import { readContent, readMark, wishes } from './read-blocks.ts'

/** The system text above the messages; it has one place, however many blocks it consists of. */
export function readSystem(system: MessagesBody['system'], members: VendorMembers): readonly Turn[] {
  const parts =
    typeof system === 'string'
      ? textParts(system)
      : (system ?? []).flatMap((block, index) => readContent(block, `/system/${index}`, members))
  return parts.length === 0 ? [] : [turnOf('system', parts, '/system')]
}

export function readMessage({ role, content }: AnthropicMessage, at: string, members: VendorMembers): readonly Turn[] {
  if (typeof content === 'string') return [turnOf(role, textParts(content), at)]
  const turns: Turn[] = []
  for (const [index, block] of content.entries())
    addBlock(turns, { role, at }, { block, place: `${at}/content/${index}`, members })
  // A message may consist only of kept blocks.
  return turns.length === 0 ? [turnOf(role, [], at)] : turns
}

function textParts(text: string): readonly Part[] {
  return [{ type: 'text', text }]
}

function turnOf(role: Turn['role'], parts: readonly Part[], at: string): Turn {
  return { role, parts, toolCalls: [], toolCallId: null, name: null, at }
}

interface Message {
  readonly role: AnthropicMessage['role']
  readonly at: string
}

interface Found {
  readonly block: AnthropicBlock
  readonly place: string
  readonly members: VendorMembers
}

function addBlock(turns: Turn[], { role, at }: Message, { block, place, members }: Found): void {
  if (block.type === 'tool_result') {
    turns.push(readResult(block, place, members))
    return
  }
  const last = turns.at(-1)
  const goesOn = last !== undefined && last.role === role
  if (block.type === 'tool_use') {
    const call = readCall(block, place, members)
    const turn = goesOn ? last : turnOf(role, [], at)
    turns.splice(goesOn ? -1 : turns.length, 1, { ...turn, toolCalls: [...turn.toolCalls, call] })
    return
  }
  const parts = readContent(block, place, members)
  if (parts.length === 0) return
  // Text after a tool call begins a new turn, because the calls of a turn come last.
  if (goesOn && last.toolCalls.length === 0) turns.splice(-1, 1, { ...last, parts: [...last.parts, ...parts] })
  else turns.push(turnOf(role, parts, at))
}

const knownOfCall: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input'])

type Call = Extract<AnthropicBlock, { readonly type: 'tool_use' }>

function readCall(block: Call, at: string, members: VendorMembers): ToolCall {
  members.keepRest(block, knownOfCall, at, wishes)
  return { id: block.id, name: block.name, arguments: exactJson(block.input) }
}

const knownOfResult: ReadonlySet<string> = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control'])

function readResult(block: AnthropicResult, at: string, members: VendorMembers): Turn {
  members.keepRest(block, knownOfResult, at)
  const { content } = block
  const parts =
    typeof content === 'string'
      ? textParts(content)
      : (content ?? []).flatMap((inner, index) => readContent(inner, `${at}/content/${index}`, members))
  return {
    role: 'tool',
    parts: withMark(parts, block.cache_control, { at, members }),
    toolCalls: [],
    toolCallId: block.tool_use_id,
    name: null,
    ...(block.is_error === true ? { toolError: true } : {}),
    at,
  }
}

const none: ReadonlySet<string> = new Set()

interface Place {
  readonly at: string
  readonly members: VendorMembers
}

/** A cache mark on a result applies to its last part. */
function withMark(
  parts: readonly Part[],
  mark: AnthropicResult['cache_control'],
  { at, members }: Place,
): readonly Part[] {
  const last = parts.at(-1)
  if (last === undefined || last.type === 'reasoning') {
    members.keepRest({ cache_control: mark }, none, at, wishes)
    return parts
  }
  return [...parts.slice(0, -1), { ...last, ...readMark(mark, at, members) }]
}
