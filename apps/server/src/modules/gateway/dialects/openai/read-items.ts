/**
 * The input of a Responses call as turns. Tool calls are separate items in this form and part of their message in ours.
 * Tested in read-responses.test.ts.
 */
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { fits } from '../../../../kernel/schema/fits.ts'
import type { Part, ReasoningPart, Role, ToolCall, Turn } from '../../call/call.ts'
import { withEmbeddedText } from '../../call/texts/embedded-text.ts'
import { readData, readDetail } from './read-parts.ts'
import {
  FunctionCall,
  FunctionCallOutput,
  Message,
  type OpenAiResponses,
  Parts,
  ReasoningItem,
  type ResponsesPiece,
} from './responses-schema.ts'
import type { VendorMembers } from './vendor-members.ts'

type Item = Exclude<OpenAiResponses['input'], string>[number]

export function readItems(input: OpenAiResponses['input'], members: VendorMembers): readonly Turn[] {
  if (typeof input === 'string') return [turnOf('user', [{ type: 'text', text: input }], '/input')]
  const turns: Turn[] = []
  input.forEach((item, index) => {
    const turn = readItem(item, `/input/${index}`, members)
    if (turn === null) return
    const last = turns.at(-1)
    if (last !== undefined && belongsTo(turn, last)) turns[turns.length - 1] = joined(last, turn)
    else turns.push(turn)
  })
  return turns
}

/** Output of the model in one turn: reasoning, text, then tool calls. A message after a call begins a new turn. */
function belongsTo(turn: Turn, last: Turn): boolean {
  if (turn.role !== 'assistant' || last.role !== 'assistant') return false
  const lastOnlyThought = last.toolCalls.length === 0 && last.parts.every(({ type }) => type === 'reasoning')
  return turn.toolCalls.length > 0 || lastOnlyThought
}

function joined(first: Turn, second: Turn): Turn {
  return {
    ...first,
    places: [...(first.places ?? [first.at ?? '']), second.at ?? ''],
    parts: [...first.parts, ...second.parts],
    toolCalls: [...first.toolCalls, ...second.toolCalls],
  }
}

function turnOf(role: Role, parts: readonly Part[], at: string, calls: readonly ToolCall[] = []): Turn {
  return { role, parts, toolCalls: calls, toolCallId: null, name: null, at }
}

const ofMessage: ReadonlySet<string> = new Set(['type', 'role', 'content', 'id', 'status', 'phase'])
const ofCall: ReadonlySet<string> = new Set(['type', 'id', 'call_id', 'name', 'arguments', 'status'])
const ofOutput: ReadonlySet<string> = new Set(['type', 'id', 'call_id', 'output', 'status'])
const ofReasoning: ReadonlySet<string> = new Set(['type', 'id', 'summary', 'content', 'encrypted_content', 'status'])

/**
 * Null for an item of another kind, which is kept unchanged. Ids of items cannot be resolved here: nothing is stored.
 */
function readItem(item: Item, at: string, members: VendorMembers): Turn | null {
  switch (item.type ?? 'message') {
    case 'message': {
      const { role, content } = checked(Message, item, at)
      members.keepRest(item, ofMessage, at)
      const parts = readContent(content, `${at}/content`, members)
      return role === 'developer' ? { ...turnOf('system', parts, at), developer: true } : turnOf(role, parts, at)
    }
    case 'function_call': {
      const { call_id: id, name, arguments: text } = checked(FunctionCall, item, at)
      members.keepRest(item, ofCall, at)
      return turnOf('assistant', [], at, [{ id, name, arguments: text }])
    }
    case 'function_call_output': {
      const { call_id: id, output } = checked(FunctionCallOutput, item, at)
      members.keepRest(item, ofOutput, at)
      return { ...turnOf('tool', readContent(output, `${at}/output`, members), at), toolCallId: id }
    }
    case 'reasoning': {
      members.keepRest(item, ofReasoning, at)
      return turnOf('assistant', [readReasoning(item, at)], at)
    }
    default:
      members.keep(at, item)
      return null
  }
}

function readReasoning(item: Item, at: string): ReasoningPart {
  const { summary, content, encrypted_content: sealed } = checked(ReasoningItem, item, at)
  return {
    type: 'reasoning',
    // Both are sent back with the item.
    text: [...(content ?? []), ...(summary ?? [])].map(({ text }) => text).join('\n'),
    data: sealed ? { form: 'openai_responses', value: sealedItem(item) } : null,
  }
}

/** Unknown members are kept with the other members, where their texts are inspected. */
function sealedItem(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => ofReasoning.has(name)))
}

function readContent(content: string | readonly ResponsesPiece[], at: string, members: VendorMembers): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((piece, index) => {
    const part = readPiece(piece, `${at}/${index}`, members)
    return part === null ? [] : [part]
  })
}

const ofText: ReadonlySet<string> = new Set(['type', 'text', 'annotations', 'logprobs'])
const ofImage: ReadonlySet<string> = new Set(['type', 'image_url', 'detail'])
const ofFile: ReadonlySet<string> = new Set(['type', 'file_id', 'filename', 'file_data', 'file_url'])

function readPiece(piece: ResponsesPiece, at: string, members: VendorMembers): Part | null {
  switch (piece.type) {
    case 'input_text':
    case 'output_text':
      members.keepRest(piece, ofText, at)
      return { type: 'text', text: checked(Parts.text, piece, at).text }
    case 'input_image': {
      // With only the vendor's file id, the item can be read by that vendor alone.
      if (typeof piece.image_url !== 'string') break
      const { image_url: url, detail } = checked(Parts.image, piece, at)
      members.keepRest(piece, ofImage, at)
      if (readDetail(detail) === null) members.keep(`${at}/detail`, detail)
      return { type: 'image', url, detail: readDetail(detail) }
    }
    case 'input_file':
      members.keepRest(piece, ofFile, at)
      return readFile(piece, at)
    default:
  }
  members.keep(at, piece)
  return null
}

function readFile(piece: ResponsesPiece, at: string): Part {
  const { file_id: id, filename, file_data: data, file_url: url } = checked(Parts.file, piece, at)
  const name = filename ?? null
  const none = { type: 'file', name, mime: null, text: null } as const
  if (id) return { ...none, source: { kind: 'id', id, form: 'openai_responses' } }
  return url ? { ...none, source: { kind: 'url', url } } : withEmbeddedText({ ...none, ...readData(data ?? '') })
}

/** @throws API-001 if an item of a known kind has another form */
function checked<S extends TSchema>(schema: S, item: unknown, at: string) {
  if (!fits(schema, item)) {
    const [error] = Value.Errors(schema, item)
    const detail = `This item is not valid: ${error?.message ?? 'its form is another'}.`
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `${at}${error?.instancePath ?? ''}` }])
  }
  return item
}
