import type { AnswerEvent, FinishReason, ToolCall } from './call.ts'

export interface CollectedChoice {
  readonly index: number
  readonly text: string | null
  readonly reasoning: string | null
  readonly refusal: string | null
  readonly toolCalls: readonly ToolCall[]
  readonly finish: FinishReason
}

export interface CollectedAnswer {
  readonly model: string | null
  readonly fingerprint: string | null
  readonly choices: readonly CollectedChoice[]
}

interface Draft {
  readonly texts: Map<string, string>
  readonly calls: Map<number, { id: string; name: string; arguments: string }>
  finish: FinishReason
}

/** Puts the events of an answer together to the answer they make. */
export function collectAnswer(events: readonly AnswerEvent[]): CollectedAnswer {
  const drafts = new Map<number, Draft>()
  const draftOf = (choice: number): Draft => {
    const known = drafts.get(choice)
    if (known !== undefined) return known
    const fresh: Draft = { texts: new Map(), calls: new Map(), finish: 'stop' }
    drafts.set(choice, fresh)
    return fresh
  }
  for (const event of events) if ('choice' in event) addEvent(draftOf(event.choice), event)
  const start = events.find((event) => event.type === 'start')
  return {
    model: start?.model ?? null,
    fingerprint: start?.fingerprint ?? null,
    choices: [...drafts].sort(([a], [b]) => a - b).map(([index, draft]) => choiceOf(index, draft)),
  }
}

type ChoiceEvent = Extract<AnswerEvent, { readonly choice: number }>

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
      })
      return
    case 'tool_arguments': {
      const call = draft.calls.get(event.index) ?? { id: '', name: '', arguments: '' }
      draft.calls.set(event.index, { ...call, arguments: call.arguments + event.text })
      return
    }
    case 'finish':
      draft.finish = event.reason
      return
    default:
      event satisfies never
  }
}

function choiceOf(index: number, { texts, calls, finish }: Draft): CollectedChoice {
  return {
    index,
    text: texts.get('text') ?? null,
    reasoning: texts.get('reasoning') ?? null,
    refusal: texts.get('refusal') ?? null,
    toolCalls: [...calls.values()],
    finish,
  }
}
