/**
 * A filter of a text that fails in the middle of it and is gone on without. Promises that nothing of the text is lost
 * then and nothing comes twice: what the filter held leaves as it came, and so does all that follows. Tested in
 * failing-open.test.ts.
 */
import { type TextPiece, wholeOf } from './text-piece.ts'

export interface HoldingPiece extends TextPiece {
  /** What it was given and has not let go, as it came. */
  held(): string
}

/** @param failed hears of the failure, and throws where the text may not go on without the filter */
export function failingOpen(piece: HoldingPiece, failed: (error: unknown) => void): HoldingPiece {
  let isBroken = false
  const attempt = (work: () => string): string => {
    try {
      return work()
    } catch (error) {
      failed(error)
      isBroken = true
      return piece.held()
    }
  }
  const whole = (text: string): string => (isBroken ? text : attempt(() => wholeOf(piece, text)))
  return {
    push: (text) => (isBroken ? text : attempt(() => piece.push(text))),
    end: () => (isBroken ? '' : attempt(() => piece.end())),
    held: () => (isBroken ? '' : piece.held()),
    ...(piece.whole !== undefined && { whole }),
  }
}
