/** Members of answers that are not understood, for callers of the same form. Pure. Tested in openai-own.test.ts. */
import type { AnswerEvent } from '../../../call/call.ts'
import { openAiChatForm } from './encode.ts'

interface KnownUsage {
  readonly counts: ReadonlySet<string>
  readonly details: Readonly<Record<string, ReadonlySet<string>>>
}

/** What is understood of what was used. */
const knownUsage: KnownUsage = {
  counts: new Set(['prompt_tokens', 'completion_tokens', 'total_tokens']),
  details: {
    prompt_tokens_details: new Set(['cached_tokens', 'audio_tokens']),
    completion_tokens_details: new Set(['reasoning_tokens', 'audio_tokens']),
  },
}

/** What is understood, or said by whoever writes the answer anew. */
const known = {
  answer: new Set(['id', 'object', 'created', 'model', 'system_fingerprint', 'choices', 'usage', 'obfuscation']),
  choice: new Set(['index', 'finish_reason', 'logprobs', 'message', 'delta']),
  message: new Set(['role', 'content', 'reasoning_content', 'refusal', 'tool_calls']),
} as const

export function pushAnswerExtras(events: AnswerEvent[], answer: { readonly usage?: unknown }): void {
  const usage = unknownUsage(answer.usage, knownUsage)
  const members = { ...unknownOf(answer, known.answer), ...(usage === null ? {} : { usage }) }
  if (Object.keys(members).length > 0) events.push({ type: 'answer_extra', form: openAiChatForm, members })
}

/** Counts are said anew; what else a vendor tells of what was used stays as it said it. */
export function unknownUsage(usage: unknown, { counts, details }: KnownUsage): Record<string, unknown> | null {
  if (typeof usage !== 'object' || usage === null) return null
  const rest = unknownOf(usage, new Set([...counts, ...Object.keys(details)]))
  const unknown = Object.entries(details).flatMap(([name, known]) => {
    const found: unknown = Reflect.get(usage, name)
    const members = typeof found === 'object' && found !== null ? unknownOf(found, known) : null
    return members === null ? [] : [[name, members] as const]
  })
  return rest === null && unknown.length === 0 ? null : { ...rest, ...Object.fromEntries(unknown) }
}

export function pushExtras(
  events: AnswerEvent[],
  choice: number,
  found: { readonly choice: object; readonly message: object },
): void {
  for (const of of ['choice', 'message'] as const) {
    const members = unknownOf(found[of], known[of])
    if (members !== null) events.push({ type: 'extra', of, choice, form: openAiChatForm, members })
  }
}

function unknownOf(record: object, names: ReadonlySet<string>): Record<string, unknown> | null {
  const rest = Object.entries(record).filter(([name, value]) => !names.has(name) && value !== null)
  return rest.length === 0 ? null : Object.fromEntries(rest)
}
