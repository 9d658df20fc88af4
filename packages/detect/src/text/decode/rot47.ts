import { commonShare, looksLikeLanguage, strangeness } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { type Piece, patch } from '../view/view.ts'
import type { Candidate } from './candidate.ts'

const minLine = 16
const sampleLength = 64
const usualBelow = 8.4
// Tables of figures turn into letters as well, but not into words.
const minShare = 0.3

/** Lines with every visible ASCII character moved on by 47 (half of the 94 there are). */
export function decodeRot47(text: string, budget: Budget): Candidate[] {
  const pieces: Piece[] = []
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    const sample = text.slice(start, Math.min(end, start + sampleLength))
    if (end - start >= minLine && mayBeMoved(sample) && spend(budget, 4)) {
      const moved = strangeness(move(sample)) < usualBelow ? move(text.slice(start, end)) : ''
      if (looksLikeLanguage(moved) && commonShare(moved) >= minShare)
        pieces.push({ text: `${moved}\n`, start, end, literal: false })
    }
    start = end + 1
  }
  if (pieces.length === 0) return []
  return [{ name: 'rot47', consumed: pieces.reduce((sum, piece) => sum + piece.text.length, 0), ...patch(pieces) }]
}

/** Small letters, most of any prose, become digits and signs, so half the sample must be such. */
function mayBeMoved(sample: string): boolean {
  let signs = 0
  let letters = 0
  for (let i = 0; i < sample.length; i += 1) {
    const code = sample.charCodeAt(i)
    if (code > 126) return false
    if (code > 32) letters += 1
    if (code > 49 && code < 76) signs += 1
  }
  return signs * 2 > letters
}

function move(text: string): string {
  let moved = ''
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    moved += code > 32 && code < 127 ? String.fromCharCode(33 + ((code + 14) % 94)) : text.charAt(i)
  }
  return moved
}
