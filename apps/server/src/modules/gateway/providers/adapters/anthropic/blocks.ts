/**
 * The content blocks of an answer as canonical events. One block is open at a time; a block that comes at once and one
 * that comes in deltas take the same way. Pure. Tested in decode.test.ts.
 */

import type { Static, TSchema } from 'typebox'
import { exactJson, parseExact } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { anthropicForm, blockBegins, blockEnds, type MarkedKind, restOf, sealed, wholeBlock } from './own-events.ts'
import {
  type AnthropicBlock,
  Citations,
  CitationsDelta,
  InputDelta,
  RedactedThinkingBlock,
  SignatureDelta,
  TextBlock,
  TextDelta,
  ThinkingBlock,
  ThinkingDelta,
  ToolUseBlock,
} from './schema.ts'

/** Turns one block into events. */
interface OpenBlock {
  begin(): readonly AnswerEvent[]
  delta(delta: AnthropicBlock): readonly AnswerEvent[]
  end(): readonly AnswerEvent[]
}

export interface BlockReader {
  begin(block: AnthropicBlock): readonly AnswerEvent[]
  /** @throws UpstreamFault `invalid` when no block is open */
  delta(delta: AnthropicBlock): readonly AnswerEvent[]
  end(): readonly AnswerEvent[]
  /** A block has begun and not ended. */
  open(): boolean
}

/** `keeps`: the caller speaks this form and receives unknown members. */
export function createBlockReader(keeps: boolean): BlockReader {
  let tools = 0
  let current: OpenBlock | null = null
  const opened = (block: AnthropicBlock): OpenBlock => {
    switch (block.type) {
      case 'text':
        return textBlock(checked(TextBlock, block), keeps)
      case 'thinking':
        return thinkingBlock(checked(ThinkingBlock, block), keeps)
      case 'redacted_thinking':
        return sealedBlock(checked(RedactedThinkingBlock, block).data)
      case 'tool_use':
        tools += 1
        return toolBlock(checked(ToolUseBlock, block), { keeps, index: tools - 1 })
      default:
        return otherBlock(block, keeps)
    }
  }
  return {
    begin: (block) => {
      current = opened(block)
      return current.begin()
    },
    delta: (delta) => {
      if (current === null) throw new UpstreamFault('invalid', 'its stream goes on with a block that has not begun')
      return current.delta(delta)
    },
    end: () => {
      const events = current?.end() ?? []
      current = null
      return events
    },
    open: () => current !== null,
  }
}

function checked<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!fits(schema, value)) throw new UpstreamFault('invalid', 'a block of its answer has another form')
  return value
}

const known = {
  text: new Set(['type', 'text']),
  thinking: new Set(['type', 'thinking', 'signature']),
  tool_use: new Set(['type', 'id', 'name', 'input']),
} as const satisfies Record<MarkedKind, ReadonlySet<string>>

/** Says where the block begins, before its first content and not earlier, and where it ends. */
function marks(kind: MarkedKind, block: object, keeps: boolean) {
  let begun = false
  let length = 0
  return {
    content: (events: readonly AnswerEvent[], characters = 0): readonly AnswerEvent[] => {
      length += characters
      if (!keeps || begun) return events
      begun = true
      return [blockBegins({ kind, members: restOf(block, known[kind]) }), ...events]
    },
    end: (): readonly AnswerEvent[] => (keeps && begun ? [blockEnds({ kind, length })] : []),
  }
}

function textBlock(block: Static<typeof TextBlock>, keeps: boolean): OpenBlock {
  const { citations = [] } = fits(Citations, block) ? block : {}
  // Those that are there have events of their own; that there may be some is said by the block.
  const mark = marks('text', citations.length === 0 ? block : { ...block, citations: [] }, keeps)
  const said = (text: string): readonly AnswerEvent[] =>
    text === '' ? [] : mark.content([{ type: 'text', choice: 0, channel: 'text', text }], text.length)
  const cited = (value: unknown): readonly AnswerEvent[] =>
    mark.content([{ type: 'annotation', choice: 0, note: { form: anthropicForm, value } }])
  return {
    begin: () => [...said(block.text), ...citations.flatMap(cited)],
    delta: (delta) =>
      delta.type === 'citations_delta'
        ? cited(checked(CitationsDelta, delta).citation)
        : said(checked(TextDelta, delta).text),
    end: mark.end,
  }
}

function thinkingBlock(block: Static<typeof ThinkingBlock>, keeps: boolean): OpenBlock {
  const mark = marks('thinking', block, keeps)
  // A signature may come in pieces; it is worth something when it is complete.
  let signature = block.signature ?? ''
  const thought = (text: string): readonly AnswerEvent[] =>
    text === '' ? [] : mark.content([{ type: 'text', choice: 0, channel: 'reasoning', text }], text.length)
  return {
    begin: () => thought(block.thinking),
    delta: (delta) => {
      if (delta.type !== 'signature_delta') return thought(checked(ThinkingDelta, delta).thinking)
      signature += checked(SignatureDelta, delta).signature
      return []
    },
    end: () => [...(signature === '' ? [] : mark.content([sealed({ type: 'thinking', signature })])), ...mark.end()],
  }
}

function sealedBlock(data: string): OpenBlock {
  return { begin: () => [sealed({ type: 'redacted_thinking', data })], delta: () => [], end: () => [] }
}

interface ToolPlace {
  readonly keeps: boolean
  readonly index: number
}

function toolBlock(block: Static<typeof ToolUseBlock>, { keeps, index }: ToolPlace): OpenBlock {
  const mark = marks('tool_use', block, keeps)
  let sent = false
  const input = (text: string): readonly AnswerEvent[] => {
    sent ||= text !== ''
    return text === '' ? [] : mark.content([{ type: 'tool_arguments', choice: 0, index, text }], text.length)
  }
  return {
    begin: () => mark.content([{ type: 'tool_call', choice: 0, index, id: block.id, name: block.name }]),
    delta: (delta) => input(checked(InputDelta, delta).partial_json),
    // A stream begins a block with an empty input; a complete block, and a call without arguments, say it here.
    end: () => [...(sent ? [] : input(exactJson(block.input ?? {}))), ...mark.end()],
  }
}

/** Blocks of the vendor's own, such as calls of tools that run there: kept as they are for callers of the form. */
function otherBlock(block: AnthropicBlock, keeps: boolean): OpenBlock {
  let input = ''
  const deltas: AnthropicBlock[] = []
  return {
    begin: () => [],
    delta: (delta) => {
      if (fits(InputDelta, delta)) input += delta.partial_json
      else deltas.push(delta)
      return []
    },
    end: () =>
      keeps ? [wholeBlock({ block: input === '' ? block : { ...block, input: parsed(input) }, deltas })] : [],
  }
}

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    throw new UpstreamFault('invalid', 'the input of a block is not JSON', { cause: error })
  }
}
