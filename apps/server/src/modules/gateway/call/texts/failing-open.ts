/**
 * A text filter that may fail mid-text and is then bypassed. Nothing of the text is lost or repeated: the text held by
 * the filter is released as it came, and so is all that follows. Tested in failing-open.test.ts.
 */
import { type TextPiece, wholeOf } from './text-piece.ts'

export interface HoldingPiece extends TextPiece {
  /** Input that has not been released, as it came. */
  held(): string
}

/** @param failed is called with the failure, and throws if the text must not continue without the filter */
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
