/** Recognizes that a private key of PEM or PuTTY is open, in which blanks and line ends close nothing. Tested in inspect.test.ts. */
import { isAlphanumeric } from '../base/matcher.ts'

export interface Armor {
  /** Characters of the opening mark that have passed when a block is first reported. */
  readonly opening: number
  /** Takes the next UTF-16 code unit; true while a block is open. */
  step(code: number): boolean
}

const begin = '-----BEGIN '
const maxHeader = 80
/** Longest block that is held: header, 8,000 characters and the end line. */
const maxBlock = 8_192

export function createArmor(): Armor {
  let recent = ''
  let header = ''
  let dashes = 0
  let runs = 0
  let length = 0

  // Dash runs of a block: before BEGIN, after the label, before END, after the label.
  const countDashes = (code: number): void => {
    dashes = code === 45 ? dashes + 1 : 0
    if (dashes !== 5 || runs === 0) return
    runs += 1
    if (runs === 2 && !header.includes('PRIVATE KEY')) runs = 0
  }
  return {
    opening: begin.length - 1,
    step: (code) => {
      // Only from a dash on is the tail of the text needed; elsewhere it costs nothing.
      recent = code === 45 || recent !== '' ? nextRecent(recent, code) : ''
      countDashes(code)
      if (recent === begin) {
        runs = 1
        length = begin.length
        header = ''
      }
      if (runs === 0) return false
      length += 1
      if (runs === 1) header += String.fromCharCode(code)
      if (runs >= 4 || length > maxBlock || (runs === 1 && length > maxHeader)) runs = 0
      return runs > 0
    },
  }
}

function nextRecent(recent: string, code: number): string {
  const grown = recent + String.fromCharCode(code)
  if (begin.startsWith(grown)) return grown
  if (grown.endsWith('-----')) return '-----'
  return code === 45 ? '-' : ''
}

const announced = 'Private-Lines: '

/** The same for the lines of a PuTTY key, which end with the first character that is no base64 and no line end. */
export function createKeyLines(): Armor {
  let matched = 0
  let length = 0
  return {
    opening: announced.length - 1,
    step: (code) => {
      if (length > 0) length = isKeyUnit(code) && length < maxBlock ? length + 1 : 0
      // No part of the announcement is its beginning again.
      matched = announced.charCodeAt(matched) === code ? matched + 1 : announced.charCodeAt(0) === code ? 1 : 0
      if (matched === announced.length) {
        length = announced.length
        matched = 0
      }
      return length > 0
    },
  }
}

/** Letters, digits, `+`, `/`, `=` and line ends. */
const isKeyUnit = (code: number): boolean =>
  isAlphanumeric(code) || code === 43 || code === 47 || code === 61 || code === 10 || code === 13
