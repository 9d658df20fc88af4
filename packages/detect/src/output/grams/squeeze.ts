/**
 * Text reduced to its letters and digits, in lower case and without disguise, with the place of each.
 * Decided character by character, so a text can be given in pieces. Tested through canary.test.ts.
 */
import { latinLookalike } from '../../text/alphabet/confusables.ts'

export interface Squeezed {
  /** One unit per letter or digit. */
  readonly units: Uint16Array
  /** Offset in the text of each unit. */
  readonly places: Int32Array
  readonly length: number
}

export interface SqueezeOptions {
  /** Letters outside ASCII that resemble none are kept too. */
  readonly allScripts: boolean
  /** Offset of the text's first character. */
  readonly offset: number
}

/** Reduces one piece of text; a surrogate pair must not be cut. */
export function squeeze(text: string, { allScripts, offset }: SqueezeOptions): Squeezed {
  const units = new Uint16Array(text.length)
  const places = new Int32Array(text.length)
  let length = 0
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    const code = unit < 128 ? (asciiUnits[unit] ?? 0) : otherUnit(text, i, allScripts)
    if (code === 0) continue
    units[length] = code
    places[length] = offset + i
    length += 1
  }
  return { units, places, length }
}

/** ASCII letters and digits in lower case, everything else 0. */
const asciiUnits = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) ? code : code >= 65 && code <= 90 ? code + 32 : 0,
)

function otherUnit(text: string, at: number, allScripts: boolean): number {
  const code = text.codePointAt(at) ?? 0
  const plain = plainUnit(code)
  if (plain > 0 || !allScripts) return plain
  return code >= 0xc0 && code < 0xd800 && !isSign(code) ? code : 0
}

const isSign = (code: number): boolean =>
  (code >= 0x2000 && code < 0x2c00) || (code >= 0x3000 && code < 0x3005) || (code >= 0x3008 && code < 0x3021)

/** Letter or digit that a character outside ASCII stands for, as an ASCII code in lower case; 0 for none. */
function plainUnit(code: number): number {
  if (code >= 0xe0020 && code <= 0xe007e) return asciiUnits[code - 0xe0000] ?? 0
  if (code >= 0xff01 && code <= 0xff5e) return asciiUnits[code - 0xfee0] ?? 0
  if (mayDecompose(code)) {
    const folded = String.fromCodePoint(code).normalize('NFKD').charCodeAt(0)
    if (folded < 128) return asciiUnits[folded] ?? 0
  }
  const lookalike = code < 0x2c00 || (code >= 0xa640 && code < 0xabff) ? latinLookalike(code) : 0
  return lookalike > 0 && lookalike < 128 ? (asciiUnits[lookalike] ?? 0) : 0
}

/** Blocks with compatibility forms of Latin letters and digits; looking up others would only cost time. */
const mayDecompose = (code: number): boolean =>
  (code >= 0xc0 && code < 0x250) ||
  (code >= 0x1d00 && code < 0x1f00) ||
  (code >= 0x2070 && code < 0x2500) ||
  (code >= 0x1d400 && code < 0x1d800)
