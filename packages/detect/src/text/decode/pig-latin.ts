import { commonWords } from '../language/common-words.ts'
import { commonShare, strangeness } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { type Piece, patch } from '../view/view.ts'
import type { Candidate } from './candidate.ts'
import type { LineRange } from './lines.ts'

const minWords = 4
const minShare = 0.5

/** Pig Latin: most words of the given lines end in `ay` after their moved head. Works on normalized text. */
export function decodePigLatin(text: string, lines: readonly LineRange[], budget: Budget): Candidate[] {
  const found: Piece[] = []
  for (const { start, end } of lines) {
    if (!spend(budget, end - start)) break
    const line = decodeLine(text.slice(start, end))
    if (line !== undefined) found.push({ text: `${line}\n`, start, end, literal: false })
  }
  if (found.length === 0) return []
  return [{ name: 'pig-latin', consumed: found.reduce((sum, piece) => sum + piece.text.length, 0), ...patch(found) }]
}

function decodeLine(line: string): string | undefined {
  const words = line.match(/[a-z]+/g) ?? []
  const moved = words.filter((word) => word.length > 2 && word.endsWith('ay')).length
  if (moved < minWords || moved < words.length * minShare) return undefined
  const decoded = line.replace(/[a-z]+/g, unmoved)
  return commonShare(decoded) > commonShare(line) + 0.15 ? decoded : undefined
}

const maxHead = 4

/** The clusters of consonants that English words begin with. */
const onsets = new Set(
  'bl br ch cl cr dr dw fl fr gh gl gr kn ph pl pr qu rh sc sh sk sl sm sn sp st sw th tr tw wh wr sch scr shr spl spr str thr'.split(
    ' ',
  ),
)

/** The word before its head was moved: of all heads it may have had, the one that makes the most usual word. */
function unmoved(word: string): string {
  if (word.length < 3 || !word.endsWith('ay') || commonWords.has(word)) return word
  const body = word.slice(0, -2)
  let best = { word: body, cost: Number.POSITIVE_INFINITY }
  // `way` and `yay` are what words with a vowel in front get.
  for (let head = /^[aeiou].*[wy]$/.test(body) ? -1 : 1; head <= Math.min(maxHead, body.length - 1); head += 1) {
    const at = body.length - head
    if (head === 0 || (head > 0 && !/[^aeiou]/.test(body.charAt(at)))) continue
    const moved = head < 0 ? body.slice(0, -1) : body.slice(at) + body.slice(0, at)
    if (head > 1 && !onsets.has(body.slice(at)) && !commonWords.has(moved)) continue
    const cost = costOf(moved) - (head < 0 ? way : 0)
    if (cost < best.cost) best = { word: moved, cost }
  }
  return best.word
}

/** Bonus for the ending of words that begin with a vowel, in the unit of `strangeness`. */
const way = 2

const costOf = (word: string): number => strangeness(word) - (commonWords.has(word) ? 4 : 0)
