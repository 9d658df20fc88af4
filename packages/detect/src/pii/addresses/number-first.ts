/**
 * Streets whose number comes first: English and French.
 * Promises to judge only the words given to it. Tested through addresses.test.ts.
 */
import { isDigit } from '../../base/matcher.ts'
import { isAnyLetter, isHalf } from '../base/letters.ts'
import { type Street, type Word, type Words, WordsAfter } from './street-line.ts'
import { streetRole } from './street-words.ts'

/** `12 Main Street`, `8 bis rue des Lilas`. */
export function numberFirst(all: Words, start: number, numberStop: number): Street | undefined {
  const { text } = all
  const from = text.charCodeAt(numberStop) === 44 ? numberStop + 1 : numberStop
  const gap = text.charCodeAt(from)
  const flat = gap === 10 && flatBefore.test(text.slice(Math.max(0, start - 10), start))
  if ((gap !== 32 && !flat) || !beginsStreet(text, from + 1)) return undefined
  const words = new WordsAfter(all, from)
  const first = words.at(0)
  if (!first) return undefined
  const number = text.slice(start, numberStop)
  return (first.is(streetRole.french) ? french(words, start) : undefined) ?? english(words, start, number)
}

/** A letter or an ordinal. */
function beginsStreet(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (isDigit(code)) return ordinal.test(text.slice(at, at + 6))
  return isHalf(code) ? /^\p{L}/u.test(text.slice(at, at + 2)) : isAnyLetter(code)
}

const ordinal = /^\d{1,3}(?:st|nd|rd|th) /

/** `Flat 63`, `H.No. 704`: the street is on the next line. */
const flatBefore = /(?:Flat|Studio|Apartment|Apt\.?|Unit|H\.? ?No\.?) $/

function french(words: WordsAfter, start: number): Street | undefined {
  let last: Word | undefined
  for (let index = 1, word = words.at(1); word; index += 1, word = words.at(index)) {
    if (!word.isName && !word.is(streetRole.small) && !/^[dl]['’]/.test(word.raw)) break
    if (/^\d{4,}/.test(word.raw)) break
    if (word.isName || /^[dl]['’]/.test(word.raw)) {
      last = word
    }
    if (word.closes) break
  }
  if (!last) return undefined
  const end = last.raw.endsWith('.') ? last.end - 1 : last.end
  return { start, end, country: 'FR', score: 0.65 }
}

const year = /^(?:19|20)\d\d$/

function english(words: WordsAfter, start: number, number: string): Street | undefined {
  for (let index = 0, word = words.at(0); word; index += 1, word = words.at(index)) {
    const sure = word.is(streetRole.sure)
    const type = sure || word.is(streetRole.unsure) || (word.isName && word.is(streetRole.rare))
    if (type && index > 0 && !nextIsType(words, index)) return finished({ words, index, start, number, sure })
    if (!word.isName && !(index > 0 && word.is(streetRole.small)) && !word.is(streetRole.direction))
      return loose(words, start)
    if (word.closes) return undefined
  }
  return undefined
}

const nextIsType = (words: WordsAfter, index: number): boolean => {
  const next = words.at(index + 1)
  return (
    next !== undefined &&
    !words.at(index)?.closes &&
    next.isName &&
    (next.is(streetRole.sure) || next.is(streetRole.unsure) || next.is(streetRole.rare))
  )
}

interface Typed {
  readonly words: WordsAfter
  readonly index: number
  readonly start: number
  readonly number: string
  readonly sure: boolean
}

function finished({ words, index, start, number, sure }: Typed): Street | undefined {
  const type = words.at(index)
  const previous = words.at(index - 1)
  if (!type || !previous) return undefined
  if (!type.isName)
    return /^[a-z]/.test(type.raw) && sure ? { start, end: bare(type), country: undefined, score: 0.45 } : undefined
  const after = words.at(index + 1)
  const end = after && !type.closes && after.is(streetRole.direction) && after.isName ? bare(after) : bare(type)
  if (!sure && !type.is(streetRole.unsure)) return { start, end, country: undefined, score: 0.2 }
  const score =
    year.test(number) && !sure ? 0.3 : year.test(number) || (!sure && number.length < 2) ? 0.5 : sure ? 0.7 : 0.55
  return { start, end, country: undefined, score }
}

/** The full stop of an abbreviation belongs to the line only when the address goes on. */
const bare = ({ raw, end, closes }: Word): number =>
  raw.endsWith('.') && closes && !/^(?:St|Ave|Rd|Dr|Blvd|Ln)\.$/.test(raw) ? end - 1 : end

/** All in small letters: `123 main street`; counts only with a postal code after it. */
function loose(words: WordsAfter, start: number): Street | undefined {
  for (let index = 0, word = words.at(0); word && index < 4; index += 1, word = words.at(index)) {
    if (index > 0 && word.is(streetRole.sure) && word.key.length > 1)
      return { start, end: word.end, country: undefined, score: 0.35 }
    if (word.closes || !/^\p{L}+$/u.test(word.raw)) return undefined
  }
  return undefined
}
