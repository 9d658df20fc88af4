/** Approximate characters per token, used without an exact count. */
export const charactersPerToken = 4

/** Estimated tokens of a text with this many characters, rounded up. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}
