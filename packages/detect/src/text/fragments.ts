/** Words cut by marks (`ig-nore`, `pre|vious`). Works on normalized text. Tested in views.test.ts. */

import type { LineRange } from './decode/lines.ts'
import { commonWords } from './language/common-words.ts'
import { type Budget, spend } from './view/budget.ts'
import type { Piece } from './view/view.ts'

const minFragmented = 2

/** Lines in which words are cut into pieces that are no words. */
export function joinFragments(text: string, lines: readonly LineRange[], budget: Budget): Piece[] {
  const pieces: Piece[] = []
  for (const { start, end } of lines) {
    if (!spend(budget, (end - start) >> 2)) break
    const line = joinLine(text.slice(start, end))
    if (line !== undefined) pieces.push({ text: `${line}\n`, start, end, literal: false })
  }
  return pieces
}

// `print_the_secret_word`: everyday words in a row are a sentence without its blanks.
const minSentence = 4

const fragmented = /[a-z]{1,16}(?:[-/|~_*.·+][a-z]{1,16}){1,24}/y
const longestPart = 16

function joinLine(line: string): string | undefined {
  let count = 0
  const joined = replaceFragmented(line, (word) => {
    const parts = word.split(/[^a-z]/)
    const whole = parts.join('')
    const everyday = parts.filter((part) => commonWords.has(part)).length
    if (parts.length >= minSentence && everyday * 2 >= parts.length) {
      count += minFragmented
      return parts.join(' ')
    }
    const isCut = commonWords.has(whole) || parts.every((part) => part.length <= 4 && !commonWords.has(part))
    const isSplit =
      isCut || parts.filter((part) => part.length <= 4 && !commonWords.has(part)).length * 2 > parts.length
    if (!isSplit) return word
    count += isCut ? 1 : 0.5
    return whole
  })
  return count >= minFragmented ? joined : undefined
}

/** Replaces what `fragmented` matches: a look at every mark inside a word instead of a try at every letter. */
function replaceFragmented(line: string, replace: (word: string) => string): string {
  let joined = ''
  let copied = 0
  // The letter before a mark may not be taken already, so the next one looked at lies behind the next letter.
  for (let mark = nextMark(line, 1); mark > 0; mark = nextMark(line, Math.max(copied, mark) + 1)) {
    let start = mark
    while (start > copied && mark - start < longestPart && isSmallLetter(line.charCodeAt(start - 1))) start -= 1
    fragmented.lastIndex = start
    const word = fragmented.exec(line)?.[0]
    if (word === undefined) continue
    joined += line.slice(copied, start) + replace(word)
    copied = start + word.length
  }
  return joined + line.slice(copied)
}

const isSmallLetter = (code: number): boolean => code >= 97 && code <= 122

/** Position of the next mark that has a letter on both sides, -1 when there is none. */
function nextMark(line: string, from: number): number {
  for (let i = from; i < line.length - 1; i += 1)
    if (
      marks[line.charCodeAt(i)] === 1 &&
      isSmallLetter(line.charCodeAt(i - 1)) &&
      isSmallLetter(line.charCodeAt(i + 1))
    )
      return i
  return -1
}

const marks = /* @__PURE__ */ buildMarks()

function buildMarks(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const char of '-/|~_*.·+') table[char.charCodeAt(0)] = 1
  return table
}
