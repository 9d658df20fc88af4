import { looksLikeLanguage } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { type Piece, patch } from '../view/view.ts'
import type { Candidate } from './candidate.ts'

// Letters that look like another one turned by half a circle; the plain ones among them only count beside the others.
const turned = 'ɐɔǝɟƃɓɥᴉıɾʞןɯɹʇʌʍʎ'
const upright = 'aceffghiijklmrtvwy'
const turns: ReadonlyMap<string, string> = new Map([
  ...[...turned].map((char, index): [string, string] => [char, upright.charAt(index)]),
  ...[...'bdpqnuwm'].map((char, index): [string, string] => [char, 'qpdbunmw'.charAt(index)]),
])
const sign = /[ɐɔǝɥɯɹʇʌʍʎ]/g
const anySign = /[ɐɔǝɥɯʇʌʍʎ]/
const minSigns = 4

/** Lines written upside down, which also run backwards. Works on text whose Latin letters were not unified. */
export function decodeUpsideDown(text: string, budget: Budget): Candidate[] {
  if (!anySign.test(text)) return []
  const pieces: Piece[] = []
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    if (!spend(budget, (end - start) >> 1)) break
    const line = text.slice(start, end)
    if ((line.match(sign)?.length ?? 0) >= minSigns)
      pieces.push({ text: `${turn(line)}\n`, start, end, literal: false })
    start = end + 1
  }
  if (pieces.length === 0) return []
  const { text: upside, map } = patch(pieces)
  return looksLikeLanguage(upside) ? [{ name: 'upside-down', text: upside, map, consumed: upside.length }] : []
}

const turn = (line: string): string =>
  [...line]
    .reverse()
    .map((char) => turns.get(char) ?? char)
    .join('')
