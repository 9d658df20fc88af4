import type { CanonicalCall } from '../call/call.ts'
import { textsOf } from '../call/texts.ts'

/** Characters of a token, roughly; nobody has counted yet when a policy asks. */
const charactersPerToken = 4

/** Characters of all texts of a call. */
export function charactersOf(call: CanonicalCall): number {
  return textsOf(call).reduce((sum, { text }) => sum + text.length, 0)
}

export function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}
