/**
 * The Porter stemmer: "An algorithm for suffix stripping", M. F. Porter, Program 14(3), 1980, with the two later changes
 * that its author published (`logi` to `log`, `bli` to `ble`). Pure; takes lower-case ASCII words. Tested in stem.test.ts.
 */

/** True where the letter at the index is a consonant: `y` is one at the beginning and after a vowel. */
function isConsonant(word: string, index: number): boolean {
  const letter = word[index] ?? ''
  if ('aeiou'.includes(letter)) return false
  return letter !== 'y' || index === 0 || !isConsonant(word, index - 1)
}

/** Porter's m: how many times a vowel sequence is followed by a consonant sequence. */
function measure(stem: string): number {
  let count = 0
  let wasVowel = false
  for (let index = 0; index < stem.length; index += 1) {
    const consonant = isConsonant(stem, index)
    if (consonant && wasVowel) count += 1
    wasVowel = !consonant
  }
  return count
}

function hasVowel(stem: string): boolean {
  for (let index = 0; index < stem.length; index += 1) if (!isConsonant(stem, index)) return true
  return false
}

function endsDoubled(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last)
}

/** Consonant, vowel, consonant, where the last is not w, x or y: such a stem gets its `e` back. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  if (last < 2 || !isConsonant(word, last) || isConsonant(word, last - 1) || !isConsonant(word, last - 2)) return false
  return !'wxy'.includes(word[last] ?? '')
}

type Rules = readonly (readonly [suffix: string, replacement: string])[]

const doubleSuffixes: Rules = [
  ...([
    ['ational', 'ate'],
    ['tional', 'tion'],
    ['enci', 'ence'],
    ['anci', 'ance'],
    ['izer', 'ize'],
  ] as const),
  ...([
    ['bli', 'ble'],
    ['alli', 'al'],
    ['entli', 'ent'],
    ['eli', 'e'],
    ['ousli', 'ous'],
  ] as const),
  ...([
    ['ization', 'ize'],
    ['ation', 'ate'],
    ['ator', 'ate'],
    ['alism', 'al'],
    ['iveness', 'ive'],
  ] as const),
  ...([
    ['fulness', 'ful'],
    ['ousness', 'ous'],
    ['aliti', 'al'],
    ['iviti', 'ive'],
    ['biliti', 'ble'],
  ] as const),
  ['logi', 'log'],
]
const fullSuffixes: Rules = [
  ...([
    ['icate', 'ic'],
    ['ative', ''],
    ['alize', 'al'],
    ['iciti', 'ic'],
    ['ical', 'ic'],
    ['ful', ''],
  ] as const),
  ['ness', ''],
]
const lastSuffixes = [
  ...['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
  ...['ion', 'al', 'er', 'ic', 'ou'],
]

function replaceFirst(word: string, rules: Rules): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, -suffix.length)
    return measure(stem) > 0 ? stem + replacement : word
  }
  return word
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = ['ed', 'ing'].find((ending) => word.endsWith(ending))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (!hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDoubled(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function withoutLast(word: string): string {
  const suffix = lastSuffixes.find((ending) => word.endsWith(ending))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (measure(stem) < 2 || (suffix === 'ion' && !/[st]$/.test(stem))) return word
  return stem
}

function tidied(word: string): string {
  const stem = word.slice(0, -1)
  if (word.endsWith('e') && (measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem)))) return tidiedDouble(stem)
  return tidiedDouble(word)
}

const tidiedDouble = (word: string): string => (word.endsWith('ll') && measure(word) > 1 ? word.slice(0, -1) : word)

/** The stem of a lower-case English word; words of one or two letters stay. */
export function stemOf(word: string): string {
  if (word.length < 3) return word
  let stem = withoutPast(withoutPlural(word))
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  return tidied(withoutLast(replaceFirst(replaceFirst(stem, doubleSuffixes), fullSuffixes)))
}
