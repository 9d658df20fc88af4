import type { Finding } from '../finding.ts'
import { isAlphanumeric, isDigit, isWord, type Matcher } from '../matcher.ts'

/** Length of an IBAN by country (SWIFT IBAN registry, release 99). */
const lengths: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HN: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
}

// 33 characters in groups of four have eight blanks; a printed number with more is not one we can hold back for.
const maxBlanks = 10
const trigger = /[A-Z]{2}\d\d|[a-z]{2}\d\d/g

/** IBANs of the right length for their country with valid check digits, in one piece or grouped by single blanks. */
export const iban: Matcher = {
  types: ['IBAN'],
  collect: (text, from, found) => {
    trigger.lastIndex = from
    for (let hit = trigger.exec(text); hit; hit = trigger.exec(text)) {
      trigger.lastIndex = hit.index + 1
      const end = isWord(text.charCodeAt(hit.index - 1)) ? 0 : ibanEnd(text, hit.index)
      if (end > 0) found.push(findingAt(hit.index, end))
    }
  },
}

const findingAt = (start: number, end: number): Finding => ({ detector: 'pii', type: 'IBAN', start, end, score: 0.99 })

function ibanEnd(text: string, start: number): number {
  const length = lengths[text.slice(start, start + 2).toUpperCase()] ?? 0
  let compact = ''
  let blanks = 0
  let at = start
  for (; compact.length < length; at += 1) {
    const code = text.charCodeAt(at)
    if (isAlphanumeric(code)) compact += text[at]
    else if (
      (code === 32 || code === 0xa0 || code === 0x202f) &&
      blanks < maxBlanks &&
      isAlphanumeric(text.charCodeAt(at - 1))
    )
      blanks += 1
    else return 0
  }
  if (length === 0 || isWord(text.charCodeAt(at)) || !mod97Holds(compact.toUpperCase())) return 0
  return blanks === 0 || groupsHold(text.slice(start, at)) ? at : 0
}

/** Printed groups are upper case, and letters alone make a group of at most four. */
const groupsHold = (printed: string): boolean =>
  printed.split(/[ \u00a0\u202f]/).every((group) => /^(?:[A-Z]{1,4}|[A-Z0-9]*\d[A-Z0-9]*)$/.test(group))

/** ISO 7064 MOD 97-10 over the rearranged number, letters counting 10 to 35. */
export function mod97Holds(compact: string): boolean {
  let rest = 0
  for (const char of compact.slice(4) + compact.slice(0, 4)) {
    const code = char.charCodeAt(0)
    rest = isDigit(code) ? (rest * 10 + code - 48) % 97 : (rest * 100 + code - 55) % 97
  }
  return rest === 1
}
