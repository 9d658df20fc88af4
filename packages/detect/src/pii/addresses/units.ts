/**
 * Units of a house: `Apt 4`, `2. Stock`, `кв. 7`, `# 12b`.
 * Promises to read at most 40 characters. Tested in addresses.test.ts.
 */
import { isDigit } from '../../base/matcher.ts'
import { isAnyLetter } from '../base/letters.ts'

const unit =
  /(?:(?:apt|apartment|suite|ste|unit|floor|fl|flat|room|rm|bldg|building|block|tower|dept|lot|level|shop|office|space|trlr|piso|apto|apartamento|appartamento|puerta|depto|dpto|departamento|interior|int|bloco|bl|sala|andar|conj|puerta|esc|local|wohnung|whg|etage|stock|top|stiege|appartement|appt|app|bât|bâtiment|escalier|étage|scala|interno|piano|кв|квартира|к|корп|корпус|стр|строение|подъезд|этаж|оф|офис|lok|m|bus|bte|boîte|lgh|daire|kat|no|blok|ajtó|em|ap|sc|et|stair|col|colonia)\.?:? ?(?:#|nº|n°|no\.?|numéro)? ?(?:\d{1,5}[a-z]?(?:[-/]\d{1,4})?|[a-z]-?\d{0,4})|# ?[a-z]?\d{1,5}[a-z]?|\d{1,2}(?:st|nd|rd|th) (?:floor|fl)|(?:ground|top|first|second|third) floor|\d{1,2} ?[ºª°] ?(?:[a-d]|izq\w{0,6}|dcha|dto|esq)?|\d{1,2}\. (?:stock|etage|emelet|sal|th|tv)|(?:d|k)(?:\.|:) ?\d{1,4})(?![\p{L}\p{N}])/iuy

const words =
  'apt|apartment|suite|ste|unit|floor|fl|flat|room|rm|bldg|building|block|tower|dept|lot|level|shop|office|space|trlr|piso|apto|apartamento|appartamento|puerta|depto|dpto|departamento|interior|int|bloco|bl|sala|andar|conj|puerta|esc|local|wohnung|whg|etage|stock|top|stiege|appartement|appt|app|bât|bâtiment|escalier|étage|scala|interno|piano|кв|квартира|к|корп|корпус|стр|строение|подъезд|этаж|оф|офис|lok|m|bus|bte|boîte|lgh|daire|kat|no|blok|ajtó|em|ap|sc|et|stair|col|colonia'.split(
    '|',
  )
const floors = ['ground', 'top', 'first', 'second', 'third']
/** Endings directly behind the word: the letters of `nº`, `no` and `numéro`. */
const numberLetters = ['', 'n', 'nº', 'no', 'numéro']

/** All runs of letters before a unit's number or letter. */
const heads = new Set([
  ...[...words, 'd', 'k'].flatMap((word) => numberLetters.map((letters) => word + letters)),
  ...floors,
])
const longestHead = Math.max(...[...heads].map((head) => head.length)) + 1

/** End of the unit that begins at a place, -1 when there is none. */
export function unitEndAt(text: string, at: number): number {
  if (!mayBegin(text, at)) return -1
  unit.lastIndex = at
  if (!unit.test(text)) return -1
  return at + text.slice(at, unit.lastIndex).trimEnd().length
}

function mayBegin(text: string, at: number): boolean {
  const first = text.charCodeAt(at)
  if (first === 35) return true
  if (isDigit(first)) return mayBeFloor(text, isDigit(text.charCodeAt(at + 1)) ? at + 2 : at + 1)
  let end = at
  while (end - at <= longestHead && isAnyLetter(text.charCodeAt(end))) end += 1
  if (end === at || end - at > longestHead) return false
  const run = text.slice(at, end).toLowerCase()
  // Without regard to case the pattern reads ſ as s.
  return heads.has(run) || heads.has(run.slice(0, -1)) || run.includes('ſ')
}

// `1st floor`, `2º`, `3. Stock`; in patterns without regard to case ſ is an s.
const floorMarks = new Set([...'sSnNrRtTſº°ª.'].map((char) => char.charCodeAt(0)))

function mayBeFloor(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return floorMarks.has(code === 32 ? text.charCodeAt(at + 1) : code)
}
