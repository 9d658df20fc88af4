/** Sentences whose words stand in the opposite order: `prompt system your reveal`. Works on normalized text. */

import { isProse } from '../language/language.ts'
import { wordOrder } from '../language/word-order.ts'
import { type Budget, spend } from '../view/budget.ts'
import { type Piece, patch } from '../view/view.ts'
import type { Candidate } from './candidate.ts'

const shortest = 16
/** Longer lines, and lines of longer texts, are no message with reversed words. */
const longest = 2_000
const longestText = 4_096
/** In longer texts than this, one odd pair of words is chance. */
const longestMessage = 1_000

/** One candidate of all lines that run backward; none in a long text. */
export function decodeWordOrder(text: string, budget: Budget): Candidate[] {
  if (text.length > longestText) return []
  const pieces: Piece[] = []
  const fewest = text.length > longestMessage ? 2 : 1
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    const length = end - start
    if (length >= shortest && length <= longest) {
      if (!spend(budget, length >> 2)) break
      const line = text.slice(start, end)
      if (isProse(line) && wordOrder(line, fewest) === 'backward')
        pieces.push({ text: `${line.split(' ').reverse().join(' ')}\n`, start, end, literal: false })
    }
    start = end + 1
  }
  if (pieces.length === 0) return []
  return [
    { name: 'word-order', consumed: pieces.reduce((sum, { text: { length } }) => sum + length, 0), ...patch(pieces) },
  ]
}
