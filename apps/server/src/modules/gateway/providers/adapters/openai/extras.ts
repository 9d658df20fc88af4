/** Members of answers that are not understood, for callers of the same form. Pure. Tested in openai-own.test.ts. */
import Type from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, ToolCallExtra } from '../../../call/call.ts'
import { googleSignature } from '../anthropic/thought-signatures.ts'
import { openAiChatForm } from './encode.ts'

interface KnownUsage {
  readonly counts: ReadonlySet<string>
  readonly details: Readonly<Record<string, ReadonlySet<string>>>
}

/** Members of the usage that are understood. */
const knownUsage: KnownUsage = {
  counts: new Set(['prompt_tokens', 'completion_tokens', 'total_tokens']),
  details: {
    prompt_tokens_details: new Set(['cached_tokens', 'audio_tokens']),
    completion_tokens_details: new Set(['reasoning_tokens', 'audio_tokens']),
  },
}

/** Members that are understood, or written anew by the encoder of the answer. */
const known = {
  answer: new Set(['id', 'object', 'created', 'model', 'system_fingerprint', 'choices', 'usage', 'obfuscation']),
  choice: new Set(['index', 'finish_reason', 'logprobs', 'message', 'delta']),
  message: new Set(['role', 'content', 'reasoning_content', 'refusal', 'tool_calls']),
  call: new Set(['index', 'id', 'type', 'function', 'custom']),
} as const

export function pushAnswerExtras(events: AnswerEvent[], answer: { readonly usage?: unknown }): void {
  const usage = unknownUsage(answer.usage, knownUsage)
  const members = { ...unknownOf(answer, known.answer), ...(usage === null ? {} : { usage }) }
  if (Object.keys(members).length > 0) events.push({ type: 'answer_extra', form: openAiChatForm, members })
}

/** Counts are said anew; other usage members of a vendor stay as they are. */
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

/** Members that stand beside a call of a tool. */
export function extraOfCall(call: object): { readonly extra?: ToolCallExtra } {
  const members = unknownOf(call, known.call)
  return members === null ? {} : { extra: { form: openAiChatForm, members } }
}

const Signed = Type.Object({
  extra_content: Type.Record(Type.String(), Type.Object({ thought_signature: Type.String({ minLength: 1 }) })),
})

/** Google's models sign the thinking before a call, beside the call. Callers of another form get it with the thinking. */
export function signatureBeside(call: object): readonly AnswerEvent[] {
  if (!fits(Signed, call)) return []
  const [signed] = Object.values(call.extra_content)
  return signed === undefined ? [] : [googleSignature(signed.thought_signature)]
}

function unknownOf(record: object, names: ReadonlySet<string>): Record<string, unknown> | null {
  const rest = Object.entries(record).filter(([name, value]) => !names.has(name) && value !== null)
  return rest.length === 0 ? null : Object.fromEntries(rest)
}
