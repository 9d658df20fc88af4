/**
 * The content blocks of Converse as canonical events. A block that comes at once and one that comes in deltas take the same
 * way. Signatures of thinking are Anthropic's, whose models are the ones that sign here. Pure. Tested in bedrock.test.ts.
 */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import type { AnswerEvent } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { sealed } from '../anthropic/own-events.ts'
import type { BedrockBlock, BedrockDelta } from './schema.ts'

interface Tool {
  readonly index: number
  /** Some of its input has come. */
  sent: boolean
}

export interface BlockReader {
  whole(block: BedrockBlock): readonly AnswerEvent[]
  begin(at: number, tool: { readonly toolUseId: string; readonly name: string }): readonly AnswerEvent[]
  delta(at: number, delta: BedrockDelta): readonly AnswerEvent[]
  end(at: number): readonly AnswerEvent[]
}

const text = (channel: 'text' | 'reasoning', said: string | null | undefined): readonly AnswerEvent[] =>
  said ? [{ type: 'text', choice: 0, channel, text: said }] : []

const input = (index: number, said: string): readonly AnswerEvent[] =>
  said === '' ? [] : [{ type: 'tool_arguments', choice: 0, index, text: said }]

/** Thinking that was signed or hidden. */
function sealOf(signature: string | null | undefined, hidden: string | null | undefined): readonly AnswerEvent[] {
  return [
    ...(signature ? [sealed({ type: 'thinking', signature })] : []),
    ...(hidden ? [sealed({ type: 'redacted_thinking', data: hidden })] : []),
  ]
}

export function createBlockReader(): BlockReader {
  const tools = new Map<number, Tool>()
  /** A signature may come in pieces; it is worth something when it is complete. */
  const signatures = new Map<number, string>()
  let calls = 0
  const called = (tool: { readonly toolUseId: string; readonly name: string }): readonly [number, AnswerEvent] => {
    const index = calls
    calls += 1
    return [index, { type: 'tool_call', choice: 0, index, id: tool.toolUseId, name: tool.name }]
  }
  const think = (at: number, thought: NonNullable<BedrockDelta['reasoningContent']>): readonly AnswerEvent[] => {
    if (thought.signature) signatures.set(at, (signatures.get(at) ?? '') + thought.signature)
    return [...text('reasoning', thought.text), ...sealOf(null, thought.redactedContent)]
  }
  return {
    whole: (block) => {
      const { toolUse, reasoningContent: thought, citationsContent: cited } = block
      if (toolUse) {
        const [index, event] = called(toolUse)
        return [event, ...input(index, exactJson(toolUse.input ?? {}))]
      }
      if (thought)
        return [
          ...text('reasoning', thought.reasoningText?.text),
          ...sealOf(thought.reasoningText?.signature, thought.redactedContent),
        ]
      if (cited) return (cited.content ?? []).flatMap((piece) => text('text', piece.text))
      if (typeof block.text !== 'string')
        throw new UpstreamFault('invalid', 'it answers with something that is neither text nor a call')
      return text('text', block.text)
    },
    begin: (at, tool) => {
      const [index, event] = called(tool)
      tools.set(at, { index, sent: false })
      return [event]
    },
    delta: (at, { text: said, toolUse, reasoningContent }) => {
      if (reasoningContent) return think(at, reasoningContent)
      if (!toolUse) return text('text', said)
      const tool = tools.get(at)
      if (tool === undefined) throw new UpstreamFault('invalid', 'its stream goes on with a call that has not begun')
      tool.sent ||= toolUse.input !== ''
      return input(tool.index, toolUse.input)
    },
    end: (at) => {
      const tool = tools.get(at)
      // A call without arguments.
      const missing = tool === undefined || tool.sent ? [] : input(tool.index, '{}')
      const signature = signatures.get(at)
      tools.delete(at)
      signatures.delete(at)
      return [...missing, ...sealOf(signature, null)]
    },
  }
}
