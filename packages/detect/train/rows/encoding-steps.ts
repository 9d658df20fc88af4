/** The single steps behind the encoders: shifts, substitutions and marks. */
import { alphabets, leetTable, lookAlikes, morseTable, smallCaps } from './encoding-tables.ts'
import type { Random } from './random.ts'

const utf8 = new TextEncoder()

export function base64(text: string): string {
  return Buffer.from(utf8.encode(text)).toString('base64')
}

/** RFC 4648, section 6, with padding. */
export function base32(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  let bits = ''
  for (const byte of utf8.encode(text)) bits += byte.toString(2).padStart(8, '0')
  let out = ''
  for (let i = 0; i < bits.length; i += 5)
    out += alphabet.charAt(Number.parseInt(bits.slice(i, i + 5).padEnd(5, '0'), 2))
  return out.padEnd(Math.ceil(out.length / 8) * 8, '=')
}

/** Cuts into lines of `width` characters. */
export function wrapped(text: string, width: number): string {
  const found: string[] = []
  for (let i = 0; i < text.length; i += width) found.push(text.slice(i, i + width))
  return found.join('\n')
}

/** UTF-8 bytes as two hexadecimal digits each, through `form`. */
export function bytesAs(text: string, form: (byte: string) => string, separator: string, upper = false): string {
  const digits = [...utf8.encode(text)].map((byte) => byte.toString(16).padStart(2, '0'))
  return digits.map((byte) => form(upper ? byte.toUpperCase() : byte)).join(separator)
}

export function unitsAs(text: string, form: (code: number) => string, separator: string): string {
  return text
    .split('')
    .map((char) => form(char.charCodeAt(0)))
    .join(separator)
}

export function caesar(text: string, by: number): string {
  return mapLetters(text, (index) => (index + by) % 26)
}

export function atbash(text: string): string {
  return mapLetters(text, (index) => 25 - index)
}

function mapLetters(text: string, move: (index: number) => number): string {
  return text.replace(/[a-z]/gi, (char) => {
    const base = char < 'a' ? 65 : 97
    return String.fromCharCode(base + move(char.charCodeAt(0) - base))
  })
}

/** Moves printable ASCII (without the space) up by `offset`. */
export function shifted(text: string, offset: number): string {
  const from = offset === 0xe0000 ? ' ' : '!'
  return text
    .split('')
    .map((char) => (char >= from && char <= '~' ? String.fromCodePoint(char.charCodeAt(0) + offset) : char))
    .join('')
}

export function leet(text: string, random: Random): string {
  const share = 0.5 + random.next() / 2
  return substitute(text, leetTable, random, share)
}

export function homoglyphs(text: string, random: Random): string {
  return substitute(text, lookAlikes, random, 0.25 + random.next() * 0.75)
}

function substitute(
  text: string,
  table: Readonly<Record<string, readonly string[]>>,
  random: Random,
  share: number,
): string {
  return text
    .split('')
    .map((char) => {
      const choices = table[char] ?? table[char.toLowerCase()]
      return choices !== undefined && random.chance(share) ? random.pick(choices) : char
    })
    .join('')
}

export function zeroWidth(text: string, random: Random): string {
  const mark = random.pick(['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad'])
  return [...text].map((char) => (random.chance(0.6) ? char + mark : char)).join('')
}

export function styled(text: string, style: string): string {
  if (style === 'small-caps') return text.replace(/[a-z]/g, (char) => smallCaps[char.charCodeAt(0) - 97] ?? char)
  const [capital, small] = alphabets[style] ?? [65, 97]
  return text.replace(/[a-z]/gi, (char) =>
    String.fromCodePoint(char < 'a' ? capital + char.charCodeAt(0) - 65 : small + char.charCodeAt(0) - 97),
  )
}

/** Adds up to `most` marks of U+0300..U+036F to letters. */
export function combining(text: string, random: Random, most: number): string {
  return [...text]
    .map((char) => {
      if (!/[a-z]/i.test(char)) return char
      let out = char
      for (let i = 1 + random.below(most); i > 0; i -= 1) out += String.fromCharCode(0x300 + random.below(0x70))
      return out
    })
    .join('')
}

/** Stored backwards, shown forwards: right-to-left override around the reversed text. */
export function bidiOverride(text: string): string {
  return `\u202e${[...text].reverse().join('')}\u202c`
}

export function morse(text: string): string {
  return [...text.toLowerCase()].map((char) => morseTable[char] ?? char).join(' ')
}

/** Cuts the text into quoted pieces: concatenation, a list to be joined, or assignments followed by a sum. */
export function splitTokens(text: string, random: Random): string {
  const pieces: string[] = []
  for (let i = 0; i < text.length; ) {
    const size = 2 + random.below(7)
    pieces.push(JSON.stringify(text.slice(i, i + size)))
    i += size
  }
  const form = random.below(4)
  if (form === 0) return pieces.join(random.pick([' + ', '+', ' . ', ' & ']))
  if (form === 1) return `[${pieces.join(', ')}]${random.pick(['.join("")', '', ' joined'])}`
  const name = random.pick(['a', 'p', 'part', 's', 'x', 'var'])
  const assigned = pieces.map((piece, i) => `${name}${i} = ${piece}`).join(random.pick(['; ', '\n', ', ']))
  return `${assigned}; ${random.pick(['', 'print', 'text =', 'msg ='])} ${pieces.map((_, i) => `${name}${i}`).join(' + ')}`
}

export function pigLatin(text: string): string {
  return text.replace(/[a-z]+/gi, (word) => {
    const vowel = word.search(/[aeiou]/i)
    return vowel <= 0 ? `${word}${vowel === 0 ? 'way' : 'ay'}` : `${word.slice(vowel)}${word.slice(0, vowel)}ay`
  })
}

/** RFC 2045, section 6.7, with some more characters escaped than needed. */
export function quotedPrintable(text: string, random: Random): string {
  const escaped = [...utf8.encode(text)].map((byte) => {
    const plain = byte >= 32 && byte < 127 && byte !== 61
    return plain && random.chance(0.6)
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  let out = ''
  let width = 0
  for (const part of escaped) {
    if (width + part.length > 72) {
      out += '=\n'
      width = 0
    }
    out += part
    width += part.length
  }
  return out
}
