/** A filter of one text of an answer. */
export interface TextPiece {
  push(text: string): string
  end(): string
  /** As `push` and `end` of the first and only piece, where that is less work. */
  whole?(text: string): string
}

/** One filter per choice and channel, kept until the choice is finished. */
export type MakePiece = (where: { readonly location: string; readonly json: boolean }) => TextPiece

/** What leaves of a text that is all there. */
export function wholeOf(piece: TextPiece, text: string): string {
  return piece.whole?.(text) ?? piece.push(text) + piece.end()
}
