import type { TokenLogprob } from '../../call/call.ts'

/** Open, because it includes vendor-specific members. */
export type RawBody = Readonly<Record<string, unknown>>

/** Our reasons have the names of this form; the older form of tools has one more. */
export function finishReason(reason: string, native: string | null | undefined): string {
  return native === 'function_call' ? native : reason
}

export function logprobList(tokens: readonly TokenLogprob[]): readonly RawBody[] | null {
  if (tokens.length === 0) return null
  return tokens.map(({ top, ...token }) => ({ ...token, top_logprobs: top }))
}

/** Members from a provider that speaks this form; members of other forms are left out. */
export function membersOf(
  extras: readonly { readonly form: string; readonly members: Readonly<Record<string, unknown>> }[],
): Record<string, unknown> {
  return Object.assign({}, ...extras.filter(({ form }) => form === 'openai_chat').map(({ members }) => members))
}
