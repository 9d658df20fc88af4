/**
 * OpenAI's chat stream: chunks, the usage if requested, and `[DONE]`. A stream without `[DONE]` is never a complete
 * answer, and the message that a client assembles does not depend on how the answer was split. Tested in
 * sdk-stream.test.ts and stream-writers.test.ts.
 */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import type { AnswerEvent, ChoiceEvent } from '../../call/call.ts'
import { type StreamWriter, sseFrame, type WriterContext } from '../dialect.ts'
import { finishReason, logprobList, membersOf } from './chat-members.ts'
import { openAiError } from './form.ts'
import { createdAt, vendorId } from './ids.ts'
import { chatUsage, withVendorUsage } from './usage.ts'

type Members = Readonly<Record<string, unknown>>

export function chatStream({ state }: WriterContext): StreamWriter {
  const { includeUsage } = state.facts.asked
  const head: Members = {
    id: vendorId('chatcmpl-', state),
    object: 'chat.completion.chunk',
    created: createdAt(state),
    model: state.attempts.served?.model ?? '',
  }
  /** Members of the whole answer, waiting for a chunk: clients do not expect a chunk without a choice. */
  let waiting: Members = {}
  let ownUsage: unknown = null
  const greeted = new Set<number>()
  const chunk = (choices: readonly Members[], usage: object | null): string => {
    const body = Object.assign({}, waiting, head, { choices }, includeUsage ? { usage } : {})
    waiting = {}
    return frame(body)
  }
  const inChoice = (index: number, { delta = {}, ...rest }: ChoiceMembers): string => {
    const first = !greeted.has(index)
    greeted.add(index)
    const choice = { index, delta: first ? { role: 'assistant', ...delta } : delta }
    return chunk([Object.assign({ logprobs: null, finish_reason: null }, rest, choice)], null)
  }
  return {
    push: (event) => {
      if (event.type === 'start') Object.assign(head, startOf(event))
      else if (event.type === 'answer_extra') {
        const { usage, ...members } = membersOf([event])
        waiting = { ...waiting, ...members }
        ownUsage = usage ?? ownUsage
      } else if ('choice' in event) {
        const members = choiceMembers(event)
        if (members !== null) return [inChoice(event.choice, members)]
      }
      return []
    },
    end: () => [...(includeUsage ? [chunk([], withVendorUsage(chatUsage(state), ownUsage))] : []), frame('[DONE]')],
    fail: (problem) => [frame(openAiError(problem))],
    keepAlive: ': keep-alive\n\n',
  }
}

function frame(data: object | '[DONE]'): string {
  return sseFrame(null, typeof data === 'string' ? data : exactJson(data))
}

function startOf({ id, model, fingerprint }: Extract<AnswerEvent, { readonly type: 'start' }>): Members {
  return {
    ...(id === undefined ? {} : { id }),
    ...(model === '' ? {} : { model }),
    ...(fingerprint === null ? {} : { system_fingerprint: fingerprint }),
  }
}

interface ChoiceMembers extends Members {
  readonly delta?: Members
}

const textField = { text: 'content', reasoning: 'reasoning_content', refusal: 'refusal' } as const

function givenOf({ text, custom }: Extract<ChoiceEvent, { readonly type: 'tool_arguments' }>): Members {
  return custom === true ? { custom: { input: text } } : { function: { arguments: text } }
}

/** Members of the choice for an event; null if this form cannot express it. */
function choiceMembers(event: ChoiceEvent): ChoiceMembers | null {
  switch (event.type) {
    case 'text':
      return { delta: { [textField[event.channel]]: event.text } }
    case 'tool_call': {
      const { index, id, name, custom, extra } = event
      const called =
        custom === true
          ? { type: 'custom', custom: { name, input: '' } }
          : { type: 'function', function: { name, arguments: '' } }
      const own = extra === undefined ? {} : membersOf([extra])
      return { delta: { tool_calls: [{ ...own, index, id, ...called }] } }
    }
    case 'tool_arguments':
      return { delta: { tool_calls: [{ index: event.index, ...givenOf(event) }] } }
    case 'logprobs': {
      const list = logprobList(event.tokens)
      return {
        logprobs: event.channel === 'text' ? { content: list, refusal: null } : { content: null, refusal: list },
      }
    }
    case 'extra': {
      const members = membersOf([event])
      if (Object.keys(members).length === 0) return null
      return event.of === 'message' ? { delta: members } : members
    }
    case 'finish':
      return { finish_reason: finishReason(event.reason, event.native) }
    case 'reasoning_data':
    case 'annotation':
    case 'text_end':
      return null
    default:
      return event satisfies never
  }
}
