/**
 * How much of a system prompt a text repeats, given piece by piece: the passages, the longest of them and the share of
 * the prompt. Pieces may be cut anywhere outside surrogate pairs. Tested in prompt-leak.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { trackLetters } from './prompt-letters.ts'
import type { PromptShingles } from './prompt-shingles.ts'
import { trackWords } from './prompt-words.ts'

export interface Leak {
  /** Share of the prompt's shingles that the text holds, 0..1. */
  readonly coverage: number
  /** Characters of the longest passage in common. */
  readonly longest: number
}

export interface LeakTracker {
  /** Takes the next piece and answers the passages that ended in it or have grown past 24 words. */
  feed(piece: string): Finding[]
  /** Ends the text. */
  end(): Finding[]
  leak(): Leak
  /** Where the text begins that may turn out to be a passage of the prompt; infinite when there is none. */
  heldFrom(): number
}

/** Follows one text; `holds` where `heldFrom` will be asked. */
export function trackLeak(prompt: PromptShingles, holds = false): LeakTracker {
  const words = trackWords(prompt, { holds })
  const letters = trackLetters(prompt.letters)
  let offset = 0
  return {
    feed: (piece) => {
      const found = words.feed(piece, offset)
      letters.feed(piece, offset)
      offset += piece.length
      return found
    },
    end: () => {
      const found = words.end(offset)
      return [...found, ...(words.reported() ? [] : letters.finding())]
    },
    leak: () => ({
      coverage: Math.max(words.coverage(), letters.coverage()),
      longest: Math.max(words.longest(), letters.longest()),
    }),
    heldFrom: () => (holds ? words.heldFrom(offset) : Number.POSITIVE_INFINITY),
  }
}
