/** A filter of one text of an answer. */
export interface TextPiece {
  push(text: string): string
  end(): string
  /** Same result as `push` and `end` of the first and only piece, if that is cheaper. */
  whole?(text: string): string
}

export interface TextPlace {
  readonly location: string
  /** The text is JSON: its strings may be escaped in many ways. */
  readonly json: boolean
  /** It is for a tool, not for a person. */
  readonly tool?: boolean
  /** Released end of the preceding text, which readers may show directly before this one. */
  readonly after?: string
}

/** One filter per choice and channel, kept until the choice is finished. */
export type MakePiece = (where: TextPlace) => TextPiece

/**
 * A filter that has read the preceding text, so that matches that begin there are found. Its output for that text has
 * already been sent; if the two differ, a match reaches into this text, and its replacement is sent with this text.
 */
export function goingOn(piece: TextPiece, after: string): TextPiece {
  let repeated = 0
  const fresh = (text: string): string => {
    let at = 0
    while (repeated < after.length && at < text.length && text[at] === after[repeated]) {
      at += 1
      repeated += 1
    }
    if (at < text.length) repeated = after.length
    return text.slice(at)
  }
  let begun = false
  const begin = (): string => {
    if (begun) return ''
    begun = true
    return fresh(piece.push(after))
  }
  return {
    push: (text) => begin() + fresh(piece.push(text)),
    end: () => begin() + fresh(piece.end()),
  }
}

/** Filtered output of a complete text. */
export function wholeOf(piece: TextPiece, text: string): string {
  return piece.whole?.(text) ?? piece.push(text) + piece.end()
}
