/** Approximate characters per token, used without an exact count. */
export const charactersPerToken = 4

/** Tokens of a text of so many characters, estimated and rounded up. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}
