/**
 * Digits of every script people write identifiers in, letters, and the separators between groups.
 * Promises one code unit in, one answer out; does not fold words (see lexicon/fold.ts). Tested in find-pii.test.ts.
 */
import { isAlphanumeric, isDigit } from '../../base/matcher.ts'

// Code points of the digit zero: full-width, Arabic-Indic, Persian, Devanagari, Bengali, Thai.
const zeros = [0xff10, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

/** Value of a decimal digit of any supported script, or -1. */
export function digitValue(code: number): number {
  if (code < 128) return isDigit(code) ? code - 48 : -1
  if (code < 0x660) return -1
  for (const zero of zeros) if (code >= zero && code <= zero + 9) return code - zero
  return -1
}

export const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const asciiSymbols = new Uint8Array(128)
for (let code = 0; code < 128; code += 1) if (isLetter(code) || digitValue(code) >= 0) asciiSymbols[code] = 1

/** Letters and digits an identifier is made of. */
export const isSymbol = (code: number): boolean => (code < 128 ? asciiSymbols[code] === 1 : digitValue(code) >= 0)

export const isBlank = (code: number): boolean => code === 32 || code === 0xa0 || code === 0x202f || code === 0x2009

export const isDash = (code: number): boolean => code === 45 || (code >= 0x2010 && code <= 0x2013) || code === 0x2212

/** Latin letters with marks: a digit after one is the tail of a word, as after an ASCII letter. */
export const isMarkedLetter = (code: number): boolean => code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7

export const isWordUnit = (code: number): boolean => isSymbol(code) || code === 95 || isMarkedLetter(code)

/** Letters in upper case and digits in ASCII; everything else is left out. */
export function compactOf(text: string, start: number, end: number): string {
  let compact = ''
  let from = start
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i)
    if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90)) continue
    if (i > from) compact += text.slice(from, i)
    from = i + 1
    const value = digitValue(code)
    if (value >= 0) compact += value
    else if (isLetter(code)) compact += String.fromCharCode(code & ~32)
  }
  return from === start ? text.slice(start, end) : compact + text.slice(from, end)
}

// RFC 5322 atoms without the marks that also quote or separate, and RFC 6532 letters up to Cyrillic.
const mailboxMarks = new Set([...".#%&'+-_~"].map((char) => char.charCodeAt(0)))
/** Letters of the names and hosts of e-mail addresses besides those of ASCII. */
export const isLetterBeyondAscii = (code: number): boolean =>
  (code >= 0xc0 && code < 0x590 && code !== 0xd7 && code !== 0xf7) || isFullWidth(code)

/** Full-width digits and letters, as East Asian keyboards write them. */
export function isFullWidth(code: number): boolean {
  return code >= 0xff10 && code <= 0xff5a && (code <= 0xff19 || (code >= 0xff21 && code <= 0xff3a) || code >= 0xff41)
}

/** Characters before the `@` of an e-mail address. */
export const isMailboxUnit = (code: number): boolean =>
  isAlphanumeric(code) || mailboxMarks.has(code) || isLetterBeyondAscii(code)

/** First characters of a mailbox. */
export const beginsMailbox = (code: number): boolean => code === 95 || (isMailboxUnit(code) && !mailboxMarks.has(code))
