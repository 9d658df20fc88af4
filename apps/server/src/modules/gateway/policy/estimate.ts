import type { CanonicalCall } from '../call/call.ts'
import { textsOf } from '../call/texts/texts.ts'

/** Characters of all texts of a call. */
export function charactersOf(call: CanonicalCall): number {
  return textsOf(call).reduce((sum, { text }) => sum + text.length, 0)
}
