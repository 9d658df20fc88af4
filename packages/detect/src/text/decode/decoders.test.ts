import { describe, expect, test } from 'vitest'
import { textViews, type View } from '../views.ts'

const sentence = 'Please water the tall plants in the kitchen every morning before you go to work'
const plain = sentence.toLowerCase()

const viewsOf = (text: string): readonly View[] => textViews(text).views

/** Kinds and chains of the views that hold the sentence. */
const reached = (text: string, wanted = plain): string[] =>
  viewsOf(text)
    .filter((view) => view.text.includes(wanted))
    .map((view) => [view.kind, ...view.via].join(' '))

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const codes = (text: string, base: number, width = 0): string[] =>
  [...text].map((char) => char.charCodeAt(0).toString(base).padStart(width, '0'))
const caesar = (text: string, by: number): string =>
  text.replace(/[a-z]/gi, (char) => {
    const first = char >= 'a' ? 97 : 65
    return String.fromCharCode(((char.charCodeAt(0) - first + by) % 26) + first)
  })
const reversed = (text: string): string => [...text].reverse().join('')

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

describe('decoders', () => {
  test.each([
    ['base64', `Do this: ${base64(sentence)}`, 'decoded base64'],
    ['base64 without padding', base64(sentence).replace(/=/g, ''), 'decoded base64'],
    ['base64url', Buffer.from(sentence).toString('base64url'), 'decoded base64'],
    ['wrapped base64', `Read:\n${base64(sentence).replace(/.{20}/g, '$&\n')}\nThanks`, 'decoded base64'],
    ['quoted base64', `> ${base64(sentence).replace(/.{24}/g, '$&\n> ')}`, 'decoded base64'],
    ['base64 of UTF-16', Buffer.from(sentence, 'utf16le').toString('base64'), 'decoded base64'],
    ['base64 with zero-width characters', base64(sentence).split('').join('\u200b'), 'decoded base64'],
    [
      'full-width base64',
      base64(sentence).replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
      'decoded base64',
    ],
    ['base64 in a data URL', `data:text/plain;base64,${base64(sentence)}`, 'decoded base64'],
    ['base64 in base64', base64(base64(sentence)), 'decoded base64 base64'],
    ['hex in base64', base64(hex(sentence)), 'decoded base64 hex'],
    ['base64 in groups of four', base64(sentence).replace(/.{4}/g, '$& '), 'decoded base64'],
    ['base64 in short lines', base64(sentence).replace(/.{10}/g, '$&\n'), 'decoded base64'],
    [
      'rot47',
      sentence.replace(/[!-~]/g, (c) => String.fromCharCode(33 + ((c.charCodeAt(0) + 14) % 94))),
      'decoded rot47',
    ],
    [
      'numbers of letters',
      plain.replace(/[a-z]/g, (c) => `${c.charCodeAt(0) - 96} `).replace(/ {2}/g, ' / '),
      'decoded letter-numbers',
    ],
    ['rot13 in base64', base64(caesar(sentence, 13)), 'decoded base64 rot13'],
    ['base32', base32(sentence), 'decoded base32'],
    ['plain hex', hex(sentence), 'decoded hex'],
    ['spaced hex', codes(sentence, 16, 2).join(' '), 'decoded hex'],
    ['colon hex', codes(sentence, 16, 2).join(':'), 'decoded hex'],
    [
      'hex list',
      codes(sentence, 16, 2)
        .map((code) => `0x${code}`)
        .join(', '),
      'decoded hex',
    ],
    [
      'hex escapes',
      codes(sentence, 16, 2)
        .map((code) => `\\x${code}`)
        .join(''),
      'decoded escape-sequences',
    ],
    ['decimal codes', codes(sentence, 10).join(' '), 'decoded decimal'],
    ['decimal list', `[${codes(sentence, 10).join(',')}]`, 'decoded decimal'],
    ['octal codes', codes(sentence, 8, 3).join(' '), 'decoded octal'],
    ['binary', codes(sentence, 2, 8).join(' '), 'decoded binary'],
    [
      'binary before words of hexadecimal letters',
      `${codes(sentence, 2, 8).join(' ')}\n\n(decode it)`,
      'decoded binary',
    ],
    ['undivided binary', codes(sentence, 2, 8).join(''), 'decoded binary'],
    ['percent', encodeURIComponent(sentence), 'decoded percent'],
    [
      'percent throughout',
      codes(sentence, 16, 2)
        .map((code) => `%${code}`)
        .join(''),
      'decoded percent',
    ],
    [
      'decimal entities',
      codes(sentence, 10)
        .map((code) => `&#${code};`)
        .join(''),
      'decoded html-entities',
    ],
    [
      'hex entities',
      codes(sentence, 16)
        .map((code) => `&#x${code};`)
        .join(''),
      'decoded html-entities',
    ],
    ['some entities', sentence.replace(/[aeiou]/g, (c) => `&#${c.charCodeAt(0)};`), 'decoded html-entities'],
    [
      'u escapes',
      codes(sentence, 16, 4)
        .map((code) => `\\u${code}`)
        .join(''),
      'decoded escape-sequences',
    ],
    [
      'u escapes in braces',
      codes(sentence, 16)
        .map((code) => `\\u{${code}}`)
        .join(''),
      'decoded escape-sequences',
    ],
    [
      'U+ notation',
      codes(sentence, 16, 4)
        .map((code) => `U+${code} `)
        .join(''),
      'decoded unicode-notation',
    ],
    [
      'quoted-printable',
      codes(sentence, 16, 2)
        .map((c) => `=${c.toUpperCase()}`)
        .join(''),
      'decoded quoted-printable',
    ],
    ['rot13', `Decode this and act on it:\n${caesar(sentence, 13)}`, 'decoded rot13'],
    ['a shift by five', caesar(sentence, 5), 'decoded caesar'],
    [
      'Atbash',
      sentence.toLowerCase().replace(/[a-z]/g, (c) => String.fromCharCode(219 - c.charCodeAt(0))),
      'decoded atbash',
    ],
    ['reversal', `Read backwards: ${reversed(sentence)}`, 'decoded reversed'],
    ['reversed words', sentence.split(' ').map(reversed).join(' '), 'decoded reversed-words'],
    ['words in the opposite order', sentence.split(' ').reverse().join(' '), 'decoded word-order'],
  ])('%s is read', (_, text, expected) => {
    expect(reached(text)).toContain(expected)
  })

  test('base85 of both kinds is read', () => {
    // Made with Python 3.11: base64.a85encode and base64.b85encode of b'open the garden gate for the cat'.
    const wanted = 'open the garden gate for the cat'
    expect(reached("<~DfB9*+EV:.+D5,'A7]X$B45mn+D,P4+EV:.+Cei%~>", wanted)).toEqual(['decoded base85'])
    expect(reached('Z*XO9AarPDAZKB6WMyt3XJK?@AZBlJAarPDAY);4', wanted)).toEqual(['decoded base85'])
  })

  test('Morse is read with any dots and dashes', () => {
    expect(reached('.-- .- - . .-. / - .... . / .--. .-.. .- -. - ...', 'water the plants')).toEqual(['decoded morse'])
    expect(reached('•−− •− − • •−• | − •••• •', 'water the')).toEqual(['decoded morse'])
  })

  test('the spelling alphabet is read', () => {
    expect(
      reached('whiskey alfa tango echo romeo, tango hotel echo, papa lima alfa november tango', 'water the plant'),
    ).toEqual(['decoded spelling-alphabet'])
  })

  test('Pig Latin is read', () => {
    expect(
      reached('ansformtray intoway anway aiway atthay isway ivengay', 'transform into an ai that is given'),
    ).toEqual(['decoded pig-latin'])
    expect(reached('easeplay aterway ethay antsplay in ethay itchenkay', 'water the plants')).toEqual([
      'decoded pig-latin',
    ])
  })

  test('codes that are no bytes are read as the characters they stand for', () => {
    const quoted = 'please water the “tall” plants in the kitchen'
    const wanted = 'please water the "tall" plants in the kitchen'
    expect(reached(codes(quoted, 2, 8).join(' '), wanted)).toEqual(['decoded binary'])
    expect(reached(codes(quoted, 10).join(', '), wanted)).toEqual(['decoded decimal'])
    expect(reached(codes(quoted, 8, 3).join(' '), wanted)).toEqual(['decoded octal'])
  })

  test('where words were turned around one by one, the order of the words tells, and the other reading is left out', () => {
    const each = viewsOf(sentence.split(' ').map(reversed).join(' ')).flatMap(({ via }) => via)
    expect(each).toEqual(['reversed-words'])
    expect(viewsOf(reversed(sentence)).flatMap(({ via }) => via)).toEqual(['reversed'])
  })

  test('Morse with signs that have no code is read on', () => {
    expect(reached('.-- .- - . .-. / { - .... . } / .--. .-.. .- -. - ...', 'water {the} plants')).toEqual([
      'decoded morse',
    ])
  })

  test('leetspeak is read letter by letter', () => {
    expect(reached('w4t3r th3 pl4nt5 1n th3 k1tch3n', 'water the plants in the kitchen')).toEqual(['leet leet'])
    expect(reached('y0u w1ll 5t0p', 'you will stop')).toEqual(['leet leet'])
  })

  test('prose, code and tables have no decoded views', () => {
    const texts = [
      `${sentence}. It costs $5 on the 1st of May 2024, see example.com/a/b?c=d&e=f or write to a.b@example.org.`,
      'const total = items.map((item) => item.price * 1.19).reduce((sum, price) => sum + price, 0) // 50% off\n'.repeat(
        9,
      ),
      '| a | b | c |\n|---|---|---|\n| 10 | 20 | 30 |\n| 40 | 50 | 60 |',
      'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'Die Vorlesung über Wahrscheinlichkeitsrechnung beginnt am Donnerstag um zehn Uhr.',
      'Ön szépen beszél magyarul, köszönöm szépen a segítséget.',
    ]
    for (const text of texts) expect(viewsOf(text).filter((view) => view.kind === 'decoded')).toEqual([])
  })
})

describe('signs that stand for bytes or letters', () => {
  const selectors = (text: string): string =>
    [...Buffer.from(text)].map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)).join('')
  const cells = ' ⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵'
  const braille = (text: string): string =>
    [...text.toLowerCase()].map((char) => cells.charAt(' abcdefghijklmnopqrstuvwxyz'.indexOf(char))).join('')

  test('bytes in variation selectors behind a letter', () => {
    expect(reached(`Hello${selectors(sentence)} there`)).toContain('decoded variation-selectors')
  })

  test('braille with blanks and with blank cells', () => {
    expect(reached(braille(sentence))).toContain('decoded braille')
    expect(reached(braille(sentence).replaceAll(' ', '\u2800'))).toContain('decoded braille')
  })

  test('an emoji with its selector and a word of braille are no text', () => {
    expect(viewsOf('Well done ❤️ ✈️ ☀️ ⠓⠊').some(({ kind }) => kind === 'decoded')).toBe(false)
  })
})
