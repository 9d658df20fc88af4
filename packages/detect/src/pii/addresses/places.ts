/**
 * Parts after a street line: unit, city, state, postal code and country, on up to four lines.
 * Promises to stay within 160 characters of the address's start. Tested in addresses.test.ts.
 */
import type { Gap, Spot, Spots } from './spots.ts'
import { states } from './street-words.ts'

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

/** Kinds of parts, as bits of those seen. */
const kind = { unit: 1, city: 2, postal: 4, state: 8, country: 16 } as const
type Kind = (typeof kind)[keyof typeof kind]

interface Step {
  readonly end: number
  readonly kind: Kind
  readonly country?: string
  /** Ends the address only if something sure follows. */
  readonly tentative?: boolean
}

interface Line {
  readonly start: number
  readonly end: number
  readonly country: string | undefined
}

/** Extends a street line. */
export function placeAfter(spots: Spots, line: Line): Place {
  const { start, end: from } = line
  let sure = from
  let at = from
  let seen = 0
  let kinds = 0
  let placed: string | undefined
  let country = line.country
  let last: Kind | undefined
  for (let steps = 0, lines = 0; steps < 9; steps += 1) {
    const { gap } = spots.at(at)
    if (gap === undefined || !spots.mayGoOn()) break
    if (gap.hasLine) lines += 1
    if (lines > 3) break
    const step = stepAt(spots, at + gap.length, { gap, seen, country, last })
    if (!step || step.end > Math.min(start + longestAddress, sure + farthest)) break
    at = step.end
    seen |= step.kind
    last = step.kind
    country = country ?? step.country
    if (step.tentative) continue
    sure = at
    kinds = seen
    placed = country
  }
  return {
    end: sure,
    country: placed,
    postal: (kinds & kind.postal) !== 0,
    city: (kinds & kind.city) !== 0,
    unit: (kinds & kind.unit) !== 0,
  }
}

interface Here {
  readonly gap: Gap
  readonly seen: number
  readonly country: string | undefined
  readonly last: Kind | undefined
}

function stepAt(spots: Spots, at: number, here: Here): Step | undefined {
  const spot = spots.at(at)
  return (
    unitAt(spot, here) ??
    postalAt(spot, here) ??
    stateAt(spots.text, spot, here) ??
    countryAt(spot, here) ??
    cityAt(spots.text, spot, here)
  )
}

function unitAt(spot: Spot, { seen }: Here): Step | undefined {
  if ((seen & (kind.city | kind.postal)) !== 0) return undefined
  return spot.unitEnd < 0 ? undefined : { end: spot.unitEnd, kind: kind.unit }
}

function postalAt({ postal }: Spot, { seen, country: known }: Here): Step | undefined {
  if (postal === undefined || (seen & kind.postal) !== 0) return undefined
  const { end, length, country } = postal
  // A bare number ends an address only with a place beside it.
  const tentative =
    country === undefined && (seen & (kind.city | kind.state)) === 0 && !(length === 6 && known === 'RU')
  return { end, kind: kind.postal, tentative, ...(country === undefined ? {} : { country }) }
}

function stateAt(text: string, spot: Spot, { gap, seen }: Here): Step | undefined {
  if ((seen & kind.state) !== 0 || gap.hasLine) return undefined
  const inCity = (seen & kind.city) !== 0
  const { at, codeEnd } = spot
  if (codeEnd > 0) {
    const code = text.slice(at, codeEnd)
    const isListed = states.has(code.replace(/[()]/g, '')) || (code.length === 4 && code.endsWith(')'))
    if (isListed && (inCity || !gap.isBlank || code.startsWith('('))) return { end: codeEnd, kind: kind.state }
  }
  return inCity && spot.stateEnd > 0 ? { end: spot.stateEnd, kind: kind.state } : undefined
}

function countryAt(spot: Spot, { gap, seen }: Here): Step | undefined {
  if ((seen & kind.country) !== 0 || (gap.isBlank && (seen & kind.postal) === 0)) return undefined
  if ((seen & (kind.city | kind.postal | kind.state)) === 0) return undefined
  return spot.countryEnd < 0 ? undefined : { end: spot.countryEnd, kind: kind.country }
}

const boundary = /^(?:$|[.,;:!?)\]"'\n<|]|\s*$)/

function cityAt(text: string, spot: Spot, { gap, seen, last }: Here): Step | undefined {
  const afterPostal = (seen & kind.postal) !== 0
  const inCity = (seen & kind.city) !== 0
  if ((seen & kind.country) !== 0 || ((seen & kind.state) !== 0 && !afterPostal) || (gap.isBlank && !afterPostal))
    return undefined
  if (inCity && (afterPostal ? last !== kind.postal : gap.isBlank)) return undefined
  const end = spot.cityEnd
  if (end < 0 || text.charCodeAt(end) === 58 || (inCity && gap.hasLine)) return undefined
  if (afterPostal) return { end, kind: kind.city }
  const closed = boundary.test(text.slice(end, end + 2)) && !gap.hasLine && gap.hasComma
  return { end, kind: kind.city, tentative: !closed || inCity }
}
