/** The spellings a token may come out in, reduced to letters and digits in lower case, as the search sees text. */
const asBytes = (text: string): number[] => [...text].map((char) => char.charCodeAt(0) & 0xff)

/** ASCII letters and digits only, lower case. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const reversed = (text: string): string => [...text].reverse().join('')

function rotated(text: string, by: number): string {
  const turn = (code: number, base: number): string => String.fromCharCode(base + ((code - base + by) % 26))
  return [...text]
    .map((char) =>
      /[a-z]/.test(char) ? turn(char.charCodeAt(0), 97) : /[A-Z]/.test(char) ? turn(char.charCodeAt(0), 65) : char,
    )
    .join('')
}

const mirrored = (text: string): string =>
  [...text]
    .map((char) =>
      /[a-z]/.test(char)
        ? String.fromCharCode(219 - char.charCodeAt(0))
        : /[A-Z]/.test(char)
          ? String.fromCharCode(155 - char.charCodeAt(0))
          : char,
    )
    .join('')

const hex = (text: string): string =>
  asBytes(text)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The digits of base 2^`size` that depend on the text alone when `before` bytes of something else come first. */
function innerDigits(text: string, before: number, { size, alphabet }: { size: number; alphabet: string }): string {
  const bits =
    '0'.repeat(before * 8) +
    asBytes(text)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
  const first = Math.ceil((before * 8) / size)
  const last = Math.floor(bits.length / size)
  let digits = ''
  for (let i = first; i < last; i += 1)
    digits += alphabet.charAt(Number.parseInt(bits.slice(i * size, (i + 1) * size), 2))
  return digits
}

const base64Forms = (text: string): string[] =>
  [0, 1, 2].map((before) => innerDigits(text, before, { size: 6, alphabet: base64Alphabet }))

const base32Forms = (text: string): string[] =>
  [0, 1, 2, 3, 4].map((before) => innerDigits(text, before, { size: 5, alphabet: base32Alphabet }))

const codeForms = (text: string): string[] => [
  asBytes(text)
    .map((byte) => byte.toString(10))
    .join(''),
  asBytes(text)
    .map((byte) => byte.toString(8).padStart(3, '0'))
    .join(''),
  asBytes(text)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join(''),
  ...['x', 'ux', 'u00', '0x'].map((prefix) =>
    asBytes(text)
      .map((byte) => prefix.replace('ux', 'u') + byte.toString(16).padStart(2, '0'))
      .join(''),
  ),
]

const simpleForms = (text: string): string[] => [
  reversed(text),
  rotated(text, 13),
  mirrored(text),
  ...Array.from({ length: 25 }, (_, i) => rotated(text, i + 1)),
]

/** One layer of each encoding, capitals kept where they matter for the next. */
const encoded = (text: string): string[] => [hex(text), ...base64Forms(text), ...base32Forms(text), ...codeForms(text)]

// 12 characters of a token with 5 bits each are 60 bits: no text has them by chance.
const minForm = 12

/** Squeezed spellings of a token: as it is, in halves, ciphered, encoded, and two encodings over each other. */
export function canaryForms(token: string): string[] {
  const half = Math.floor(token.length / 2)
  const parts = squeezed(token).length >= 2 * minForm ? [token.slice(0, half), token.slice(half)] : []
  const bases = [token, token.toUpperCase()]
  const once = bases.flatMap((base) => [reversed(base), rotated(base, 13), ...encoded(base)])
  const twice = once
    .filter((form) => form.length <= 96)
    .flatMap((form) => [reversed(form), rotated(form, 13), hex(form), ...base64Forms(form)])
  const all = [
    token,
    ...parts,
    ...parts.flatMap(simpleForms),
    ...simpleForms(token),
    ...parts.flatMap(encoded),
    ...once,
    ...twice,
  ]
  return [...new Set(all.map(squeezed))].filter((form) => form.length >= Math.min(minForm, squeezed(token).length))
}
