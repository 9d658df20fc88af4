/** Members of answers that are not understood, for callers of the same form. Pure. Tested in openai-own.test.ts. */
import type { AnswerEvent } from '../../../call/call.ts'
import { openAiChatForm } from './encode.ts'

/** What is understood, or said by whoever writes the answer anew. */
const known = {
  answer: new Set(['id', 'object', 'created', 'model', 'system_fingerprint', 'choices', 'usage', 'obfuscation']),
  choice: new Set(['index', 'finish_reason', 'logprobs', 'message', 'delta']),
  message: new Set(['role', 'content', 'reasoning_content', 'refusal', 'tool_calls']),
} as const

export function pushAnswerExtras(events: AnswerEvent[], answer: object): void {
  const members = unknownOf(answer, known.answer)
  if (members !== null) events.push({ type: 'answer_extra', form: openAiChatForm, members })
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
