import type { CanonicalCall, Part, ReasoningPart } from '../call.ts'
import { textsBeside } from '../sealed-thoughts.ts'

/** The only form with the signature beside the text; in other forms the sealed data includes the text. */
const form = 'anthropic_messages'

/**
 * The redacted call with the signatures of the reasoning since the last question, which the vendor requires while tools
 * are called. The signature covers the text with placeholders. The caller received the original values, and redaction
 * produces the same text again because equal values have equal placeholders. Earlier reasoning may be omitted. Tested
 * in anthropic.test.ts.
 */
export function withSignatures(redacted: CanonicalCall, sent: CanonicalCall): CanonicalCall {
  const asked = sent.turns.findLastIndex(({ role }) => role === 'user')
  const isSigned = sent.turns.some(({ parts }, index) => index > asked && parts.some(isSignedThought))
  if (!isSigned) return redacted
  const turns = redacted.turns.map((turn, index) =>
    index <= asked
      ? turn
      : { ...turn, parts: turn.parts.map((part, at) => signedLike(part, sent.turns[index]?.parts[at])) },
  )
  return { ...redacted, turns }
}

function isSignedThought(part: Part | undefined): part is ReasoningPart {
  return part?.type === 'reasoning' && part.data?.form === form && textsBeside(part).length === 0
}

function signedLike(part: Part, before: Part | undefined): Part {
  return part.type === 'reasoning' && isSignedThought(before) ? { ...part, data: before.data } : part
}
