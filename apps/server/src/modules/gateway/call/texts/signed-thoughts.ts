import type { CanonicalCall, Part, ReasoningPart } from '../call.ts'
import { textsBeside } from '../sealed-thoughts.ts'

/** The only form whose signature stands beside the text; others hold the text as well. */
const form = 'anthropic_messages'

/**
 * The redacted call with the signatures of the thinking since the last question, which its vendor wants back while tools
 * are called. What was signed is the text with placeholders, the caller got their values, and redaction makes the same
 * text of them again: equal values have equal placeholders. Earlier thinking may be left out. Tested in anthropic.test.ts.
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
