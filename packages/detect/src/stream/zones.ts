/**
 * Cuts a stream into zones: pieces that no value can reach across.
 * Promises the same cuts for every chunking, because each decision reads only characters already seen; it does not
 * look for values itself. Tested through inspect.test.ts.
 */
import { isAlphanumeric, isDigit } from '../matcher.ts'
import { maxBlock } from '../secrets/private-key.ts'

/** What a character means for the zone before it: nothing, its end, or that its early part can be settled. */
export type Boundary = 'none' | 'close' | 'settle-numbers' | 'settle-all'

export interface Zones {
  /** Takes the next UTF-16 code unit. After `close` the unit itself is in no zone. */
  step(code: number): Boundary
}

/** A run of number groups longer than this is settled up to `numberReach` before its end. */
export const chainLimit = 256
/** No number in groups is longer (telephone: 16 digits, 15 gaps of three, plus sign and look-ahead). */
export const numberReach = 96
/** A zone of this length is settled up to `tokenReach` before its end. */
export const zoneLimit = 16_384
/** No value at all is longer, one look-ahead character included. */
export const tokenReach = maxBlock + 1

const tokenPunctuation = new Set([...'+/=_@.-:%~#&?()\u2011\u2013'].map((char) => char.charCodeAt(0)))
const isJoiner = (code: number): boolean => code === 32 || code === 0xa0 || code === 0x202f
const isTokenUnit = (code: number): boolean => isAlphanumeric(code) || tokenPunctuation.has(code)
const isUpper = (code: number): boolean => code >= 65 && code <= 90

export function createZones(): Zones {
  const armor = createArmor()
  let zoneLength = 0
  let token = emptyToken(false)

  const close = (): Boundary => {
    zoneLength = 0
    token = emptyToken(false)
    return 'close'
  }
  const grow = (): Boundary => {
    zoneLength += 1
    if (zoneLength < zoneLimit) return 'none'
    zoneLength = tokenReach
    return 'settle-all'
  }
  const join = (): Boundary => {
    token = emptyToken(true)
    if (zoneLength < chainLimit) return grow()
    zoneLength = numberReach
    return 'settle-numbers'
  }

  return {
    step: (code) => {
      const armored = armor.step(code)
      if (isTokenUnit(code)) {
        extend(token, code)
        return grow()
      }
      if (armored) {
        token = emptyToken(isJoiner(code) && mayContinue(token))
        return grow()
      }
      return isJoiner(code) && mayContinue(token) ? join() : close()
    },
  }
}

interface Token {
  length: number
  hasDigit: boolean
  onlyUpper: boolean
  onlyPunctuation: boolean
  readonly joined: boolean
}

const emptyToken = (joined: boolean): Token => ({
  length: 0,
  hasDigit: false,
  onlyUpper: true,
  onlyPunctuation: true,
  joined,
})

function extend(token: Token, code: number): void {
  token.length += 1
  token.hasDigit ||= isDigit(code)
  token.onlyUpper &&= isUpper(code)
  token.onlyPunctuation &&= !isAlphanumeric(code)
}

/** Whether a number may go on after this token: it holds a digit, is a lone dash or slash, or letters of an IBAN. */
const mayContinue = ({ length, hasDigit, onlyUpper, onlyPunctuation, joined }: Token): boolean =>
  length > 0 && (hasDigit || (onlyPunctuation && length <= 3) || (joined && onlyUpper && length <= 4))

const begin = '-----BEGIN '
const maxHeader = 80

/** Recognizes that a PEM private key is open, in which blanks and line ends close nothing. */
function createArmor(): { step(code: number): boolean } {
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
