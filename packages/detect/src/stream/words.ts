/**
 * Clues in a word of a stream about values that may begin in it or go on over it.
 * Promises to judge by the word alone and, in doubt, for a value. Tested in openings.test.ts and inspect.test.ts.
 */
import { digitValue, isMailboxUnit } from '../pii/base/characters.ts'
import { monthByName } from '../pii/lexicon/month-names.ts'
import { isOpeningWord } from '../pii/lexicon/opening-words.ts'

/**
 * `plain`: nothing begins here that goes on over the next blank, unless a number follows. `marked`: a value may begin
 * here and go on over words as `passageOf` tells. `held`: a value may begin here that goes on over any words.
 */
export type WordClass = 'plain' | 'marked' | 'held'

/** A longer word is marked whatever it holds: wallet addresses have 26 characters, vehicle numbers 17. */
const longestWord = 16
/** Longest word that is read; in a longer one anything may stand. */
export const longestRead = 80

// Key blocks, and addresses spelled as `ann (at) example dot com`.
const held = /----|Private-Lines:|[([][Aa][Tt][)\]]/
// Marks of e-mail addresses, telephone numbers and passports; colons inside IPv6; bank codes; eras of Japan and Taiwan.
const marked = /[@\uff20\ufe6b+<]|&commat;|:[0-9A-Fa-f:]|[A-Z]{6}|IBAN.|[昭平令大民]/

/** The class of a word, of which at least the first `longestRead + 1` characters are given. */
export function classOf(word: string): WordClass {
  if (word.length > longestRead || held.test(word)) return 'held'
  return word.length > longestWord || marked.test(word) || hasDigit(word) ? 'marked' : 'plain'
}

function hasDigit(word: string): boolean {
  for (let i = 0; i < word.length; i += 1) if (digitValue(word.charCodeAt(i)) >= 0) return true
  return false
}

/** The word between a name and a host in a spelled address. */
export const isSpelledAt = (word: string): boolean => /^[([][Aa][Tt][)\]]/.test(word)

/** Letters with which a name may begin; without one nothing goes on from a word without digits. */
const nameLetter = /[A-Za-z_\u00c0-\u058f]/

/**
 * Whether nothing that begins in a plain word goes on over the blank behind it, whatever follows: no value goes over a
 * blank from a unit that cannot end a mailbox, nor from a word of a sentence.
 */
export function isClosedWord(word: string, isFirst = false): boolean {
  if (!isMailboxUnit(word.charCodeAt(word.length - 1)) || !nameLetter.test(word)) return true
  // Only words before `I` and `A` make a number of the text behind them.
  return isOpeningWord(word, word.length, { alone: isFirst })
}

/** Whether a value that began before a plain word may go on over it: `once` when not over another such word. */
export type Passage = 'never' | 'once' | 'always'

const connectors = new Set(['de', 'of', 'di', 'd', 'den', 'the', 'del'])
const extensions = new Set([
  ...['x', 'ext', 'extn', 'extension', 'poste', 'interno', 'int', 'ramal', 'доб', 'wew', 'durchwahl', 'dw'],
])

/** How values pass a plain word: as a group of capitals, a month, an extension, a sign of a date, a group of letters. */
export function passageOf(word: string): Passage {
  const isSmall = /[a-z\u00c0-\uffff]/.test(word)
  if (!isSmall) return 'always'
  const core = word
    .replace(/^[^A-Za-z\u00c0-\uffff]{1,16}/, '')
    .replace(/[.,:;'-]{1,16}$/, '')
    .toLowerCase()
  if (core.length <= 2 && !/^[a-z]/.test(core)) return 'always'
  if (connectors.has(core) || extensions.has(core) || monthByName.has(core)) return 'always'
  // Letter groups of identifiers have one, three or six letters.
  const letters = /^[A-Za-z]{0,8}/.exec(word)?.[0].length ?? 0
  return letters === 1 || letters === 3 || letters === 6 ? 'once' : 'never'
}
