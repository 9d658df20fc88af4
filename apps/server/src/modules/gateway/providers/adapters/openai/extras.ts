/** Members of answers that are not understood, for callers of the same form. Pure. Tested in openai-own.test.ts. */
import type { AnswerEvent } from '../../../call/call.ts'
import { openAiChatForm } from './encode.ts'

const detailsOfUsage = ['prompt_tokens_details', 'completion_tokens_details'] as const

/** What is understood, or said by whoever writes the answer anew. */
const known = {
  answer: new Set(['id', 'object', 'created', 'model', 'system_fingerprint', 'choices', 'usage', 'obfuscation']),
  choice: new Set(['index', 'finish_reason', 'logprobs', 'message', 'delta']),
  usage: new Set(['prompt_tokens', 'completion_tokens', 'total_tokens', ...detailsOfUsage]),
  prompt_tokens_details: new Set(['cached_tokens', 'audio_tokens']),
  completion_tokens_details: new Set(['reasoning_tokens', 'audio_tokens']),
  message: new Set(['role', 'content', 'reasoning_content', 'refusal', 'tool_calls']),
} as const

export function pushAnswerExtras(events: AnswerEvent[], answer: { readonly usage?: object | null }): void {
  const usage = answer.usage ? unknownUsage(answer.usage) : null
  const members = { ...unknownOf(answer, known.answer), ...(usage === null ? {} : { usage }) }
  if (Object.keys(members).length > 0) events.push({ type: 'answer_extra', form: openAiChatForm, members })
}

/** Counts are said anew; what else a vendor tells of what was used stays as it said it. */
function unknownUsage(usage: object): Record<string, unknown> | null {
  const rest = unknownOf(usage, known.usage)
  const details = detailsOfUsage.flatMap((name) => {
    const found: unknown = Reflect.get(usage, name)
    const unknown = typeof found === 'object' && found !== null ? unknownOf(found, known[name]) : null
    return unknown === null ? [] : [[name, unknown] as const]
  })
  return rest === null && details.length === 0 ? null : { ...rest, ...Object.fromEntries(details) }
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
