/** Letters written as digits and signs (`1gn0r3`), read back by which letter pairs are usual. For normalized text. */

import type { LineRange } from './decode/lines.ts'
import { letterIndex, pairCost, strangeness } from './language/language.ts'
import { type Budget, spend } from './view/budget.ts'
import { type Patchwork, type Piece, patch } from './view/view.ts'

const meanings: ReadonlyMap<number, string> = new Map(
  [
    ...['0o', '1il', '2z', '3e', '4a', '5s', '6gb', '7t', '8b', '9g'],
    ...['@a', '$s', '!i', '|li', '+t', '€e', '£l', '¡i'],
  ].map((entry): [number, string] => [entry.charCodeAt(0), entry.slice(1)]),
)

/** The given lines with the letters put back, or undefined when nothing changes. */
export function undoLeet(text: string, lines: readonly LineRange[], budget: Budget): Patchwork | undefined {
  const pieces: Piece[] = []
  for (const { start, end } of lines) {
    if (!spend(budget, (end - start) >> 1)) break
    const line = text.slice(start, end)
    const undone = undoLine(line)
    // Signs become as many letters as they were, so positions map one to one.
    if (undone === line) continue
    pieces.push({ text: undone, start, end, literal: true }, { text: '\n', start: end - 1, end, literal: false })
  }
  return pieces.length === 0 ? undefined : patch(pieces)
}

const token = /[a-z0-9@$!|+€£¡]{1,64}/g

function undoLine(line: string): string {
  const words = line.match(token) ?? []
  const marked = words.filter((word) => /[0-9@$!|+][a-z]|[a-z][0-9@$|+]/.test(word)).length
  const isDense = marked >= 3 && marked >= words.length * 0.3
  return line.replace(token, (word) => undoWord(word, isDense))
}

const minNumber = 3

function undoWord(word: string, isDense: boolean): string {
  // A closing exclamation mark ends a sentence more often than it is an i.
  const tail = /(?<!!)!+$/.exec(word)?.[0] ?? ''
  const body = word.slice(0, word.length - tail.length)
  if (!/[^a-z]/.test(body)) return word
  if (/[a-z]/.test(body)) return bestReading(body) + tail
  // Bare numbers stay numbers unless the line is full of disguised words and this reads like one.
  const isLong = body.length >= minNumber
  if (!isDense || !/\d/.test(body)) return word
  const reading = bestReading(body)
  return isLong
    ? strangeness(reading) < maxNumberCost
      ? reading + tail
      : word
    : shortWords.has(reading)
      ? reading + tail
      : word
}

const maxNumberCost = 9
const shortWords: ReadonlySet<string> = new Set([
  'a',
  'i',
  'as',
  'at',
  'is',
  'it',
  'so',
  'to',
  'go',
  'be',
  'of',
  'or',
  'us',
])

interface Path {
  readonly letters: string
  readonly cost: number
}

/** The cheapest way through the letters each sign may mean (Viterbi over one or two choices a sign). */
function bestReading(word: string): string {
  let paths: Path[] = [{ letters: '', cost: 0 }]
  for (const char of word) {
    const choices = meanings.get(char.charCodeAt(0)) ?? char
    paths = [...choices].map((letter) => cheapest(paths, letter))
  }
  return paths.reduce((least, path) => (ended(path) < ended(least) ? path : least)).letters
}

function cheapest(paths: readonly Path[], letter: string): Path {
  const after = letterIndex(letter.charCodeAt(0))
  const cost = (path: Path): number => path.cost + pairCost(lastIndex(path), after)
  const best = paths.reduce((least, path) => (cost(path) < cost(least) ? path : least))
  return { letters: best.letters + letter, cost: cost(best) }
}

const lastIndex = ({ letters }: Path): number =>
  letters === '' ? 0 : letterIndex(letters.charCodeAt(letters.length - 1))

const ended = (path: Path): number => path.cost + pairCost(lastIndex(path), 0)
