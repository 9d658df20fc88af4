import type { AnswerEvent, ChoiceEvent, Opaque, TokenLogprob, ToolCall, ToolCallExtra } from './call.ts'
import type { FinishReason } from './finish-reason.ts'

export interface AnsweredCall extends ToolCall {
  readonly extra?: ToolCallExtra
}

export interface CollectedChoice {
  readonly index: number
  readonly text: string | null
  readonly reasoning: string | null
  readonly refusal: string | null
  readonly toolCalls: readonly AnsweredCall[]
  readonly finish: FinishReason
  /** The provider's own finish reason, if it sent one. */
  readonly native: string | null
  readonly stopSequence: string | null
  readonly reasoningData: readonly Opaque[]
  readonly logprobs: { readonly text: readonly TokenLogprob[]; readonly refusal: readonly TokenLogprob[] }
  readonly annotations: readonly Opaque[]
  /** Unknown members, by their form. */
  readonly extras: readonly Extra[]
}

type Extra = Omit<Extract<AnswerEvent, { readonly type: 'extra' }>, 'type' | 'choice'>

export interface CollectedAnswer {
  /** The provider's id of the answer. */
  readonly id: string | null
  readonly model: string | null
  readonly fingerprint: string | null
  readonly choices: readonly CollectedChoice[]
  readonly embeddings: readonly (readonly number[] | string)[]
  readonly extras: readonly Omit<Extra, 'of'>[]
}

interface Draft {
  readonly texts: Map<string, string>
  readonly calls: Map<number, AnsweredCall>
  readonly reasoningData: Opaque[]
  readonly logprobs: { readonly text: TokenLogprob[]; readonly refusal: TokenLogprob[] }
  readonly annotations: Opaque[]
  readonly extras: Extra[]
  finish: FinishReason
  native: string | null
  stopSequence: string | null
}

function freshDraft(): Draft {
  return {
    texts: new Map(),
    calls: new Map(),
    reasoningData: [],
    logprobs: { text: [], refusal: [] },
    annotations: [],
    extras: [],
    finish: 'stop',
    native: null,
    stopSequence: null,
  }
}

/** Assembles the events of an answer. */
export function collectAnswer(events: readonly AnswerEvent[]): CollectedAnswer {
  const drafts = new Map<number, Draft>()
  const draftOf = (choice: number): Draft => {
    const known = drafts.get(choice)
    if (known !== undefined) return known
    const fresh = freshDraft()
    drafts.set(choice, fresh)
    return fresh
  }
  for (const event of events) if ('choice' in event) addEvent(draftOf(event.choice), event)
  const start = events.find((event) => event.type === 'start')
  return {
    id: start?.id ?? null,
    model: start?.model ?? null,
    fingerprint: start?.fingerprint ?? null,
    choices: [...drafts].sort(([a], [b]) => a - b).map(([index, draft]) => choiceOf(index, draft)),
    embeddings: vectorsOf(events),
    extras: events.filter((event) => event.type === 'answer_extra'),
  }
}

function vectorsOf(events: readonly AnswerEvent[]): CollectedAnswer['embeddings'] {
  const found = events.filter((event) => event.type === 'embedding')
  return found.toSorted((a, b) => a.index - b.index).map(({ vector }) => vector)
}

function addEvent(draft: Draft, event: ChoiceEvent): void {
  switch (event.type) {
    case 'text':
      draft.texts.set(event.channel, (draft.texts.get(event.channel) ?? '') + event.text)
      return
    case 'tool_call':
      draft.calls.set(event.index, {
        id: event.id,
        name: event.name,
        arguments: draft.calls.get(event.index)?.arguments ?? '',
        ...(event.custom === true ? { custom: true as const } : {}),
        ...(event.extra === undefined ? {} : { extra: event.extra }),
      })
      return
    case 'tool_arguments': {
      const call = draft.calls.get(event.index) ?? { id: '', name: '', arguments: '' }
      draft.calls.set(event.index, { ...call, arguments: call.arguments + event.text })
      return
    }
    case 'reasoning_data':
      draft.reasoningData.push(event.data)
      return
    case 'logprobs':
      draft.logprobs[event.channel].push(...event.tokens)
      return
    case 'annotation':
      draft.annotations.push(event.note)
      return
    case 'extra':
      draft.extras.push({ of: event.of, form: event.form, members: event.members })
      return
    case 'text_end':
      return
    case 'finish':
      draft.finish = event.reason
      draft.native = event.native ?? null
      draft.stopSequence = event.stopSequence ?? null
      return
    default:
      event satisfies never
  }
}

function choiceOf(index: number, draft: Draft): CollectedChoice {
  const { texts } = draft
  return {
    index,
    text: texts.get('text') ?? null,
    reasoning: texts.get('reasoning') ?? null,
    refusal: texts.get('refusal') ?? null,
    toolCalls: [...draft.calls.values()],
    finish: draft.finish,
    native: draft.native,
    stopSequence: draft.stopSequence,
    reasoningData: draft.reasoningData,
    logprobs: draft.logprobs,
    annotations: draft.annotations,
    extras: draft.extras,
  }
}
