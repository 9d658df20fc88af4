/**
 * Streets whose number comes last: most of Europe, Latin America, Turkey.
 * Promises to judge at most 72 characters before the number. Tested through addresses.test.ts.
 */
import { isDigit } from '../../base/matcher.ts'
import { isWhite } from '../base/letters.ts'
import { role, rolesOf } from '../names/lexicon.ts'
import { type Street, type Word, type Words, WordsBefore } from './street-line.ts'
import { countryByEnding, prefixTypes, separateTypes, streetRole } from './street-words.ts'

/** `Hauptstraße 5`, `Calle Mayor 3`, `ul. Polna 7`. */
export function streetFirst(all: Words, at: number, numberStop: number): Street | undefined {
  const { text } = all
  if (!mayStandBefore(text.charCodeAt(at - 1)) || isDigit(text.charCodeAt(at - 2))) return undefined
  const floor = all.lineStart(at)
  const stop = at - markLength(text, floor, at)
  if (stop <= floor) return undefined
  const words = new WordsBefore(all, floor, stop)
  const last = words.at(0)
  // After a comma, five digits or a number behind another one are a postal code.
  const postal =
    (last && isDigit(last.raw.charCodeAt(0))) || (numberStop - at >= 5 && /^\d{5}/.test(text.slice(at, numberStop)))
  if (!last || (postal && text.slice(stop, at).includes(','))) return undefined
  if (isOrdinary(last)) return undefined
  const found =
    compound(words) ??
    separate(words) ??
    prefixed(words) ??
    (mayBeYear(text, numberStop) && yearAfter.test(text.slice(numberStop, numberStop + 8)) ? undefined : generic(words))
  // Hungarian writes house numbers as ordinals: Fő utca 5.
  const ordinal = found?.country === 'HU' && /^\.[\n,]/.test(text.slice(numberStop, numberStop + 2))
  if (!found) return undefined
  const { start, country, score } = found
  return { start, country, score, end: ordinal ? numberStop + 1 : numberStop }
}

const numberMark = /(?:,? ?(?:n[ºo°]\.?|nr\.?|no[.:]?|num\.?|número|numéro|#|д\.|дом|буд\.|č\.p\.|č\.|km)? ?)$/iu

// `, número `
const longestMark = 12

/** Length of the mark that a number follows, with the blanks around it. */
function markLength(text: string, floor: number, at: number): number {
  let end = at
  while (end > floor && at - end < 3 && text.charCodeAt(end - 1) === 32) end -= 1
  const blanks = at - end
  const last = end > floor ? text.charCodeAt(end - 1) : 0
  if (blanks < 2 && markEnds.has(last) && (!isStop(last) || beforeStop.has(text.charCodeAt(end - 2))))
    return numberMark.exec(text.slice(Math.max(floor, at - longestMark), at))?.[0].length ?? 0
  return blanks > 2 ? 2 : blanks + (last === 44 ? 1 : 0)
}

// `no`, `nr`, `km`, `n°`, `дом`, a full stop, a colon, a number sign.
const markEnds = new Set([...'oOrRmMмМº°.:#'].map((char) => char.charCodeAt(0)))
const isStop = (code: number): boolean => code === 46 || code === 58
// `no.`, `nr.`, `num.`, `n°.`, `д.`, `č.p.`, `č.`
const beforeStop = new Set([...'oOrRmMº°дДpPčČ'].map((char) => char.charCodeAt(0)))

const mayStandBefore = (code: number): boolean =>
  code <= 13 ||
  code === 35 ||
  code === 46 ||
  code === 47 ||
  code === 58 ||
  code === 0xba ||
  code === 0xb0 ||
  isWhite(code)

/** A word in small ASCII letters that no street ends with: most numbers in prose come after one. */
function isOrdinary(word: Word): boolean {
  const first = word.raw.charCodeAt(0)
  if (first < 97 || first > 122 || word.raw.includes("'") || word.raw.includes('’')) return false
  return !word.is(streetRole.separate) && !word.is(streetRole.small)
}

type Half = Omit<Street, 'end'>

const modifiers = new Set(
  'alte alter altes neue neuer neues grosse grosser kleine kleiner obere oberer untere unterer hintere vordere innere aussere lange kurze hohe stora lilla gamla nya norra sodra ostra vastra store lille gamle nye nordre sondre nieuwe oude grote kleine korte lange sankt st sint isoi vanha'.split(
    ' ',
  ),
)

function compound(words: WordsBefore): Half | undefined {
  const last = words.at(0)
  if (!last?.isUpper || last.key.length < 5) return undefined
  const country = countryByEnding(last.key)
  if (country === undefined) return undefined
  const previous = words.at(1)
  const modified = previous && modifiers.has(previous.key) && previous.isUpper
  const sure = sureEnding.test(last.key)
  return { start: modified ? previous.start : startOf(last), country, score: sure ? 0.7 : 0.4 }
}

const sureEnding =
  /(?:strasse|str|gasse|allee|platz|chaussee|straat|laan|gracht|plein|kade|dijk|singel|steeg|gatan|vagen|grand|gata|gaten|veien|vegen|gade|vej|katu|kuja|bulevardi|damm|ufer)$/

const startOf = ({ start }: Word): number => start

function separate(words: WordsBefore): Half | undefined {
  const type = words.at(0)
  const country = type?.is(streetRole.separate) ? separateTypes.get(type.key) : undefined
  const named = words.at(1)
  if (!type || !country || !named || !(named.isUpper || isDigit(named.raw.charCodeAt(0)))) return undefined
  let first = named
  for (let index = 2; index < 5; index += 1) {
    const word = words.at(index)
    if (
      !word?.isUpper ||
      word.raw.endsWith(':') ||
      (word.raw.endsWith('.') && !/^(?:Mah|Cad|Dr|St|Prof)\.$/.test(word.raw))
    )
      break
    first = word
  }
  // One ordinary capitalized word before (Der Weg 5) is no street name.
  if (first === named && articles.has(first.raw)) return undefined
  return { start: first.start, country, score: type.key.length > 2 ? 0.65 : 0.45 }
}

const articles = new Set('Der Die Das Den Im Am Een Het De The Mein Ein Auf'.split(' '))

function prefixed(words: WordsBefore): Half | undefined {
  let named = 0
  for (let word = words.at(0), index = 1; word; word = words.at(index++)) {
    const country = named > 0 && word.is(streetRole.prefix) ? prefixTypes.get(word.key) : undefined
    if (country && isPrefix(word)) {
      return { start: word.start, country, score: /^\p{Ll}/u.test(word.raw) && word.key.length > 4 ? 0.55 : 0.65 }
    }
    const inside =
      word.isName ||
      word.is(streetRole.small) ||
      (hasApostrophe(word.raw) && (isElided(word.raw) || /^[\p{L}]+['’]\p{Lu}/u.test(word.raw)))
    if (!inside || word.raw.endsWith(':')) return undefined
    if (word.isName || isElided(word.raw)) named += 1
  }
  return undefined
}

const hasApostrophe = (raw: string): boolean => raw.includes("'") || raw.includes('’')

/** `d'Italia`, `l'Europe`. */
const isElided = (raw: string): boolean => {
  const [first, second] = [raw.charCodeAt(0), raw.charCodeAt(1)]
  return (first === 100 || first === 108) && (second === 39 || second === 0x2019)
}

/** Short types need their full stop (R. Augusta, ul. Polna); in small letters `via` and `est` are ordinary words. */
const isPrefix = ({ key, raw }: Word): boolean =>
  raw.endsWith('.') || key === 'c/' || (key.length > 2 && (/^\p{Lu}/u.test(raw) || !ordinaryPrefix.has(key)))

const ordinaryPrefix = new Set(
  'via est rod tip pas pho hem ngo largo corso place camino carrera passage route chemin trg str sos tup'.split(' '),
)

/** Any capitalized name and a number (Kolářova 15): an address only if postal code and city follow. */
function generic(words: WordsBefore): Half | undefined {
  const last = words.at(0)
  if (
    !last?.isUpper ||
    !/^\p{Lu}\p{Ll}{3,}/u.test(last.raw) ||
    /[:.]$/.test(last.raw) ||
    (rolesOf(last.key) & role.stop) !== 0
  )
    return undefined
  if (months.test(last.key) || units.test(last.key)) return undefined
  const previous = words.at(1)
  const joined = previous && /^\p{Lu}\p{Ll}{2,}$/u.test(previous.raw) && (rolesOf(previous.key) & role.stop) === 0
  return { start: joined ? previous.start : last.start, country: undefined, score: 0.15 }
}

const months =
  /^(?:jan|feb|mar|apr|may|mai|maj|mei|jun|jul|aug|sep|okt|oct|nov|de[cz]|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|out|fev|avr|juin|juil|aout|ocak|subat|nisan)[a-z]{0,7}$/

const units =
  /^(?:suite|apt|apartment|unit|floor|flat|room|building|block|tower|level|piso|apto|appartamento|etage|stock|box|lot|phase|sector|puerta|daire|kat)$/
/** A blank or a comma; the exact test follows. */
const mayBeYear = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code === 32 || code === 44
}

const yearAfter = /^,? (?:19|20)\d\d(?!\d)/
