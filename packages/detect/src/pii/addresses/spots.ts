/**
 * The parts of an address that may begin at a place: unit, state, country, city, and their separators.
 * Promises to read each place of a text once however many streets stand before it. Tested in addresses.test.ts.
 */
import { type Budget, spend } from '../../text/view/budget.ts'
import { cost } from '../base/effort.ts'
import { isHalf, isUpper } from '../base/letters.ts'
import { type PostalCode, postalCodeAt } from './postal-codes.ts'
import { countries, stateNames } from './street-words.ts'
import { unitEndAt } from './units.ts'

/** The gap between two parts. */
export interface Gap {
  readonly length: number
  readonly isBlank: boolean
  readonly hasComma: boolean
  readonly hasLine: boolean
}

/** A place; each part is looked for when first asked for, and -1 where there is none. */
export class Spot {
  readonly at: number
  readonly #text: string
  #gap: Gap | undefined | null = null
  #postal: PostalCode | undefined | null = null
  #unit = unasked
  #code = unasked
  #state = unasked
  #country = unasked
  #city = unasked

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  get gap(): Gap | undefined {
    if (this.#gap === null) this.#gap = gapAt(this.#text, this.at)
    return this.#gap
  }

  get postal(): PostalCode | undefined {
    if (this.#postal === null) this.#postal = postalCodeAt(this.#text, this.at)
    return this.#postal
  }

  get unitEnd(): number {
    if (this.#unit === unasked) this.#unit = unitEndAt(this.#text, this.at)
    return this.#unit
  }

  /** End of two to four capitals, in parentheses or not. */
  get codeEnd(): number {
    if (this.#code === unasked) this.#code = stateCodeEnd(this.#text, this.at)
    return this.#code
  }

  get stateEnd(): number {
    if (this.#state === unasked) this.#state = endOf(stateNames, this.#text, this.at)
    return this.#state
  }

  get countryEnd(): number {
    if (this.#country === unasked) this.#country = countryEndAt(this.#text, this.at)
    return this.#country
  }

  get cityEnd(): number {
    if (this.#city === unasked) this.#city = cityEndAt(this.#text, this.at)
    return this.#city
  }
}

const unasked = -2

// More than the longest address, so that what one street asked is there for the next.
const slots = 256

/** The places of one text. */
export class Spots {
  readonly text: string
  readonly #effort: Budget
  readonly #spots: (Spot | undefined)[] = []

  constructor(text: string, effort: Budget) {
    this.text = text
    this.#effort = effort
  }

  /** Whether one more part may be looked for. */
  mayGoOn(): boolean {
    return spend(this.#effort, cost.place)
  }

  at(at: number): Spot {
    const slot = at % slots
    const known = this.#spots[slot]
    if (known?.at === at) return known
    const spot = new Spot(this.text, at)
    this.#spots[slot] = spot
    return spot
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

const separator = /(?:,? {0,2}\n[ \t>*]{0,4}| ?, ?| [-–|·/] |; | ?[-–] ?(?=\d{6})| {1,2})/y
const blank: Gap = { length: 1, isBlank: true, hasComma: false, hasLine: false }
const separatorStarts = new Set([...',\n;-– '].map((char) => char.charCodeAt(0)))
const afterBlank = new Set([...' ,\n-–|·/'].map((char) => char.charCodeAt(0)))

function gapAt(text: string, at: number): Gap | undefined {
  const first = text.charCodeAt(at)
  if (!separatorStarts.has(first)) return undefined
  if (first === 32 && !afterBlank.has(text.charCodeAt(at + 1))) return blank
  const end = endOf(separator, text, at)
  if (end < 0) return undefined
  const written = text.slice(at, end)
  return {
    length: end - at,
    isBlank: written === ' ',
    hasComma: first === 44,
    hasLine: written.includes('\n'),
  }
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90
const stateCode = /\(?[A-Z]{2,4}\)?(?![\p{L}\d])/uy

function stateCodeEnd(text: string, at: number): number {
  const from = text.charCodeAt(at) === 40 ? at + 1 : at
  const isCode = isCapital(text.charCodeAt(from)) && isCapital(text.charCodeAt(from + 1))
  return isCode ? endOf(stateCode, text, at) : -1
}

function countryEndAt(text: string, at: number): number {
  if (!isUpper(text.charCodeAt(at))) return -1
  const end = endOf(countries, text, at)
  const isAbbreviated = text.charCodeAt(end - 1) === 46 && !/\.\w\.$/.test(text.slice(at, end))
  return isAbbreviated ? end - 1 : end
}

const cityName =
  /(?:(?:г|м|с|пос)\. ?)?\p{Lu}[\p{L}'’.-]{1,24}(?:[ -](?:(?:de|del|la|las|los|do|da|dos|di|am|an|der|den|im|in|ob|bei|upon|on|of|sur|sous|le|les|en|aan|nad|pod|y|the)[ -]){0,2}\p{Lu}[\p{L}'’.-]{1,24}){0,3}(?: \d{1,2}(?!\d))?(?: cedex(?: \d{1,2})?| CEDEX(?: \d{1,2})?)?/uy

// г, м, с and п begin the words for a town.
const townMarks = new Set([...'гмсп'].map((char) => char.charCodeAt(0)))

function cityEndAt(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (!isUpper(first) && !townMarks.has(first) && !isHalf(first)) return -1
  const end = endOf(cityName, text, at)
  return end < 0 ? -1 : at + trimCity(text.slice(at, end)).length
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
  return words.join(' ').replace(/(?<![.'’-])[.'’-]+$/, '')
}
