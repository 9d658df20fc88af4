/**
 * Additions of a policy to the system text of a call: text before and after the caller's, and a canary that proves a
 * leak. Places of the caller's turns stay those of its body, and equal texts of one tenant get equal canaries, so that
 * caches keep working. Tested in policy-content.test.ts and policy-output.test.ts.
 */
import { createHmac } from 'node:crypto'
import { createCanary } from '@parapet/detect'
import type { CanonicalCall, Turn } from '../call/call.ts'
import type { EffectivePolicy } from '../policy/effective.ts'

type Added = Pick<EffectivePolicy['content']['system_prompt'], 'prepend' | 'append'>

export function withPolicyText(call: CanonicalCall, { prepend, append }: Added): CanonicalCall {
  if (prepend.length + append.length === 0) return call
  const placed = call.turns.map((turn, index) => ({ ...turn, at: turn.at ?? `/messages/${index}` }))
  const firstOther = placed.findIndex(({ role }) => role !== 'system')
  const leading = firstOther < 0 ? placed.length : firstOther
  const turns = [
    ...prepend.map(systemTurn),
    ...placed.slice(0, leading),
    ...append.map(systemTurn),
    ...placed.slice(leading),
  ]
  return { ...call, turns }
}

function systemTurn(text: string): Turn {
  return { role: 'system', parts: [{ type: 'text', text }], toolCalls: [], toolCallId: null, name: null, at: '' }
}

/** All system text of the call, as the model reads it. */
export function systemTextOf({ turns }: CanonicalCall): string {
  return turns
    .filter(({ role }) => role === 'system')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n')
}

/** Everything said in roles other than system, as the model reads it. */
export function conversationOf({ turns }: CanonicalCall): string {
  return turns
    .filter(({ role }) => role !== 'system')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n')
}

/** The call with a canary at the end of its system text; the same call if it has none. */
export function withMark(call: CanonicalCall, key: Uint8Array): CanonicalCall {
  const at = call.turns.findLastIndex(
    ({ role, parts }) => role === 'system' && parts.some(({ type }) => type === 'text'),
  )
  const turn = call.turns[at]
  if (turn === undefined) return call
  const random = createHmac('sha256', key).update(systemTextOf(call)).digest().subarray(0, 16)
  const { text: mark } = createCanary(random, { style: 'comment' })
  return { ...call, turns: call.turns.with(at, marked(turn, mark)) }
}

/** Appended to the last text rather than added as another: some providers accept one text only. */
function marked(turn: Turn, mark: string): Turn {
  const last = turn.parts.findLastIndex(({ type }) => type === 'text')
  return {
    ...turn,
    parts: turn.parts.map((part, index) =>
      index === last && part.type === 'text' ? { ...part, text: `${part.text}\n${mark}` } : part,
    ),
  }
}

const markPattern = /<!-- ([0-9a-hjkmnp-tv-z]{26}) -->/g

/** The canaries in the call's system text. */
export function marksOf(call: CanonicalCall): readonly string[] {
  return [...systemTextOf(call).matchAll(markPattern)].flatMap(([, token]) => (token === undefined ? [] : [token]))
}
