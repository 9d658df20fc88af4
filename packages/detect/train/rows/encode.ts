/**
 * Ways of disguising a text, applied to attacks and to harmless texts alike so that an encoding alone carries no signal.
 * Every encoder takes any string; those that cannot express a character leave it as it is.
 */
import {
  atbash,
  base32,
  base64,
  bidiOverride,
  bytesAs,
  caesar,
  combining,
  homoglyphs,
  leet,
  morse,
  pigLatin,
  quotedPrintable,
  shifted,
  splitTokens,
  styled,
  unitsAs,
  wrapped,
  zeroWidth,
} from './encoding-steps.ts'
import type { Random } from './random.ts'

export type Encoder = (text: string, random: Random) => string

const hexUnit = (code: number): string => code.toString(16).padStart(4, '0')
const wellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))
const points = (text: string): number[] => [...text].map((char) => char.codePointAt(0) ?? 0)

/** All encoders by the name that rows carry as `enc`. */
export const encoders: Readonly<Record<string, Encoder>> = {
  base64: (text) => base64(text),
  base64url: (text) => base64(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  'base64-lines': (text, random) => wrapped(base64(text), random.pick([24, 40, 64, 76])),
  'base64-twice': (text) => base64(base64(text)),
  base32: (text) => base32(text),
  hex: (text, random) => bytesAs(text, (byte) => byte, '', random.chance(0.3)),
  'hex-spaced': (text, random) => bytesAs(text, (byte) => byte, random.pick([' ', ':', '-']), random.chance(0.5)),
  'hex-escape': (text) => bytesAs(text, (byte) => `\\x${byte}`, ''),
  'hex-literal': (text, random) => bytesAs(text, (byte) => `0x${byte}`, random.pick([' ', ', ', ','])),
  binary: (text) => unitsAs(text, (code) => code.toString(2).padStart(8, '0'), ' '),
  octal: (text, random) => unitsAs(text, (code) => code.toString(8).padStart(3, '0'), random.pick([' ', '\\'])),
  url: (text) => bytesAs(text, (byte) => `%${byte.toUpperCase()}`, ''),
  'url-component': (text) => encodeURIComponent(wellFormed(text)),
  html: (text) =>
    points(text)
      .map((code) => `&#${code};`)
      .join(''),
  'html-hex': (text) =>
    points(text)
      .map((code) => `&#x${code.toString(16)};`)
      .join(''),
  'u-escape': (text) => unitsAs(text, (code) => `\\u${hexUnit(code)}`, ''),
  'u-plus': (text) =>
    points(text)
      .map((code) => `U+${hexUnit(code).toUpperCase()}`)
      .join(' '),
  decimal: (text, random) => unitsAs(text, (code) => String(code), random.pick([' ', ', ', ','])),
  rot13: (text) => caesar(text, 13),
  caesar: (text, random) => caesar(text, 1 + random.below(25)),
  atbash: (text) => atbash(text),
  reversed: (text) => [...text].reverse().join(''),
  'reversed-words': (text) => text.split(' ').reverse().join(' '),
  'reversed-each-word': (text) =>
    text
      .split(' ')
      .map((word) => [...word].reverse().join(''))
      .join(' '),
  leet: (text, random) => leet(text, random),
  homoglyph: (text, random) => homoglyphs(text, random),
  'zero-width': (text, random) => zeroWidth(text, random),
  'tag-characters': (text) => shifted(text, 0xe0000),
  'full-width': (text) => shifted(text, 0xfee0).replaceAll(' ', '\u3000'),
  'math-letters': (text, random) => styled(text, random.pick(['bold', 'italic', 'script', 'fraktur', 'mono', 'sans'])),
  circled: (text) => styled(text, 'circled'),
  'small-caps': (text) => styled(text, 'small-caps'),
  combining: (text, random) => combining(text, random, 1),
  zalgo: (text, random) => combining(text, random, 4),
  bidi: (text) => bidiOverride(text),
  spaced: (text) => [...text].join(' '),
  dashed: (text) =>
    text
      .split(' ')
      .map((word) => [...word].join('-'))
      .join(' '),
  dotted: (text, random) =>
    text
      .split(' ')
      .map((word) => [...word].join(random.pick(['.', '.', '_', '*'])))
      .join(' '),
  morse: (text) => morse(text),
  'case-alternation': (text, random) =>
    [...text].map((char) => (random.chance(0.5) ? char.toUpperCase() : char.toLowerCase())).join(''),
  'token-split': (text, random) => splitTokens(text, random),
  'pig-latin': (text) => pigLatin(text),
  'quoted-printable': (text, random) => quotedPrintable(text, random),
}
