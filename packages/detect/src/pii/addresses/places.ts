/**
 * What follows a street line: unit, city, state, postal code and country, on up to four lines.
 * Promises to stay within 160 characters of the address's start. Tested in addresses.test.ts.
 */
import { countries, stateNames, states } from './street-words.ts'

export interface Place {
  readonly end: number
  readonly country: string | undefined
  readonly postal: boolean
  readonly city: boolean
  readonly unit: boolean
}

/** Longest address in UTF-16 units. */
export const longestAddress = 160

// Two less than the 48 characters after a match that a matcher may look at: no part is judged by its first half.
const farthest = 46

interface Step {
  readonly end: number
  readonly kind: 'unit' | 'city' | 'postal' | 'state' | 'country'
  readonly country?: string
  /** Ends the address only if something sure follows. */
  readonly tentative?: boolean
}

const separator = /(?:,? {0,2}\n[ \t>*]{0,4}| ?, ?| [-–|·/] |; | ?[-–] ?(?=\d{6})| {1,2})/y

interface Line {
  readonly start: number
  readonly end: number
  readonly country: string | undefined
}

/** Extends a street line. */
export function placeAfter(text: string, line: Line): Place {
  const { start, end: from } = line
  let sure = from
  let at = from
  const seen = new Set<Step['kind']>()
  let found: { kinds: Set<Step['kind']>; country: string | undefined } = { kinds: new Set(), country: undefined }
  let country = line.country
  let last: Step['kind'] | undefined
  for (let steps = 0, lines = 0; steps < 9; steps += 1) {
    separator.lastIndex = at
    const gap = separator.exec(text)?.[0]
    if (gap === undefined) break
    if (gap.includes('\n')) lines += 1
    const step = lines > 3 ? undefined : stepAt(text, at + gap.length, { gap, seen, country, last })
    if (!step || step.end > Math.min(start + longestAddress, sure + farthest)) break
    at = step.end
    seen.add(step.kind)
    last = step.kind
    country = country ?? step.country
    if (step.tentative) continue
    sure = at
    found = { kinds: new Set(seen), country }
  }
  const { kinds } = found
  return {
    end: sure,
    country: found.country,
    postal: kinds.has('postal'),
    city: kinds.has('city'),
    unit: kinds.has('unit'),
  }
}

interface Here {
  readonly gap: string
  readonly seen: ReadonlySet<Step['kind']>
  readonly country: string | undefined
  readonly last: Step['kind'] | undefined
}

function stepAt(text: string, at: number, here: Here): Step | undefined {
  return (
    unitAt(text, at, here) ??
    postalAt(text, at, here) ??
    stateAt(text, at, here) ??
    countryAt(text, at, here) ??
    cityAt(text, at, here)
  )
}

const match = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

const unit =
  /(?:(?:apt|apartment|suite|ste|unit|floor|fl|flat|room|rm|bldg|building|block|tower|dept|lot|level|shop|office|space|trlr|piso|apto|apartamento|appartamento|puerta|depto|dpto|departamento|interior|int|bloco|bl|sala|andar|conj|puerta|esc|local|wohnung|whg|etage|stock|top|stiege|appartement|appt|app|bât|bâtiment|escalier|étage|scala|interno|piano|кв|квартира|к|корп|корпус|стр|строение|подъезд|этаж|оф|офис|lok|m|bus|bte|boîte|lgh|daire|kat|no|blok|ajtó|em|ap|sc|et|stair|col|colonia)\.?:? ?(?:#|nº|n°|no\.?|numéro)? ?(?:\d{1,5}[a-z]?(?:[-/]\d{1,4})?|[a-z]-?\d{0,4})|# ?[a-z]?\d{1,5}[a-z]?|\d{1,2}(?:st|nd|rd|th) (?:floor|fl)|(?:ground|top|first|second|third) floor|\d{1,2} ?[ºª°] ?(?:[a-d]|izq\w{0,6}|dcha|dto|esq)?|\d{1,2}\. (?:stock|etage|emelet|sal|th|tv)|(?:d|k)(?:\.|:) ?\d{1,4})(?![\p{L}\p{N}])/iuy

function unitAt(text: string, at: number, { seen }: Here): Step | undefined {
  if (seen.has('city') || seen.has('postal')) return undefined
  const found = match(unit, text, at)
  return found === undefined ? undefined : { end: at + found.trimEnd().length, kind: 'unit' }
}

const postals: readonly (readonly [RegExp, string | undefined])[] = [
  [/(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2})(?![A-Za-z\d])/y, 'GB'],
  [/[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]?\d[A-Z]\d(?![A-Za-z\d])/y, 'CA'],
  [/[AC-FHKNPRTV-Y]\d[\dW] ?[\dAC-FHKNPRTV-Y]{4}(?![A-Za-z\d])/y, 'IE'],
  [/\d{4} ?[A-Z]{2}(?![A-Za-z\d])/y, 'NL'],
  [/\d{5}-\d{4}(?![\d])/y, 'US'],
  [/\d{5}-\d{3}(?![\d])/y, 'BR'],
  [/\d{4}-\d{3}(?![\d])/y, 'PT'],
  [/\d{2}-\d{3}(?![\d])/y, 'PL'],
  [/(?:[A-Z]{1,3}-)?\d{4,6}(?![\d\p{L}:/]|\.\d)/uy, undefined],
  [/\d{3} \d{2}(?![\d])/y, undefined],
  [/\d{3} \d{3}(?![\d])/y, 'IN'],
  [/[A-Z]\d{4}[A-Z]{3}(?![\p{L}\d])/uy, 'AR'],
]

function postalAt(text: string, at: number, { seen, country: known }: Here): Step | undefined {
  if (seen.has('postal')) return undefined
  const prefix = match(/(?:C\.?P\.?:? |CEP:? |PLZ:? |PIN:? |Postcode:? |ZIP:? )/y, text, at) ?? ''
  for (const [pattern, country] of postals) {
    const found = match(pattern, text, at + prefix.length)
    if (found === undefined) continue
    const end = at + prefix.length + found.length
    // A bare number ends an address only with a place beside it.
    const tentative =
      country === undefined && !seen.has('city') && !seen.has('state') && !(found.length === 6 && known === 'RU')
    return { end, kind: 'postal', tentative, ...(country === undefined ? {} : { country }) }
  }
  return undefined
}

function stateAt(text: string, at: number, { gap, seen }: Here): Step | undefined {
  if (seen.has('state') || gap.includes('\n')) return undefined
  const code = match(/\(?[A-Z]{2,4}\)?(?![\p{L}\d])/uy, text, at)
  const plain = code?.replace(/[()]/g, '')
  if (
    code !== undefined &&
    plain !== undefined &&
    (states.has(plain) || (code.length === 4 && code.endsWith(')'))) &&
    (seen.has('city') || gap !== ' ' || code.startsWith('('))
  )
    return { end: at + code.length, kind: 'state' }
  const named = seen.has('city') ? match(stateNames, text, at) : undefined
  return named === undefined ? undefined : { end: at + named.length, kind: 'state' }
}

function countryAt(text: string, at: number, { gap, seen }: Here): Step | undefined {
  if (seen.has('country') || (gap === ' ' && !seen.has('postal'))) return undefined
  if (!seen.has('city') && !seen.has('postal') && !seen.has('state')) return undefined
  const found = match(countries, text, at)
  return found === undefined
    ? undefined
    : { end: at + (found.endsWith('.') && !/\.\w\.$/.test(found) ? found.length - 1 : found.length), kind: 'country' }
}

const cityName =
  /(?:(?:г|м|с|пос)\. ?)?\p{Lu}[\p{L}'’.-]{1,24}(?:[ -](?:(?:de|del|la|las|los|do|da|dos|di|am|an|der|den|im|in|ob|bei|upon|on|of|sur|sous|le|les|en|aan|nad|pod|y|the)[ -]){0,2}\p{Lu}[\p{L}'’.-]{1,24}){0,3}(?: \d{1,2}(?!\d))?(?: cedex(?: \d{1,2})?| CEDEX(?: \d{1,2})?)?/uy
const boundary = /^(?:$|[.,;:!?)\]"'\n<|]|\s*$)/

function cityAt(text: string, at: number, { gap, seen, last }: Here): Step | undefined {
  const afterPostal = seen.has('postal')
  if (seen.has('country') || (seen.has('state') && !afterPostal) || (gap === ' ' && !afterPostal)) return undefined
  if (seen.has('city') && (afterPostal ? last !== 'postal' : gap === ' ')) return undefined
  const written = match(cityName, text, at)
  if (written === undefined) return undefined
  const city = trimCity(written)
  const end = at + city.length
  if (text[end] === ':' || (seen.has('city') && gap.includes('\n'))) return undefined
  if (afterPostal) return { end, kind: 'city' }
  const closed = boundary.test(text.slice(end, end + 2)) && !gap.includes('\n') && gap.startsWith(',')
  return { end, kind: 'city', tentative: !closed || seen.has('city') }
}

/** Gives back a state code or the head of a British postal code that the name pattern swallowed. */
function trimCity(written: string): string {
  const words = written.split(' ')
  while (words.length > 1) {
    const last = (words.at(-1) ?? '').replace(/[.,]$/, '')
    if (
      !/^[A-Z]{2,4}$/.test(last) &&
      !/^[A-Z]{1,2}\d/.test(last) &&
      !/^(?:Please|Thank|Thanks|My|Our|The|It|We|She|He|They|Your|Phone|Tel|Email|E-mail|And|But|Is)$/.test(last)
    )
      break
    words.pop()
  }
  return words.join(' ').replace(/[.'’-]+$/, '')
}
