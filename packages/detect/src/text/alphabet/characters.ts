/** Whether a character is drawn as nothing: zero-width, joiners, fillers, direction controls, variation selectors. */
export function isHidden(code: number): boolean {
  if (code < 0x34f) return code === 0xad
  if (code < 0x2000) return isHiddenLetterlike(code)
  if (code < 0x3164) return isHiddenPunctuation(code)
  return (
    code === 0x3164 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0x1d173 && code <= 0x1d17a) ||
    (code >= 0xe0000 && code <= 0xe001f) ||
    (code >= 0xe007f && code <= 0xe0fff)
  )
}

const isHiddenLetterlike = (code: number): boolean =>
  code === 0x34f ||
  code === 0x61c ||
  code === 0x115f ||
  code === 0x1160 ||
  (code >= 0x17b4 && code <= 0x17b5) ||
  (code >= 0x180b && code <= 0x180f)

const isHiddenPunctuation = (code: number): boolean =>
  (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f)

/** U+E0020..E007E repeat ASCII invisibly. */
export const isTag = (code: number): boolean => code >= 0xe0020 && code <= 0xe007e

/** Embeddings, overrides and isolates; the plain marks U+200E and U+200F are everyday text in Hebrew and Arabic. */
export const isBidiControl = (code: number): boolean =>
  (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)

/** Combining marks that belong to no one script. */
export function isGenericMark(code: number): boolean {
  return (
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x483 && code <= 0x489) ||
    (code >= 0x1ab0 && code <= 0x1aff) ||
    (code >= 0x1dc0 && code <= 0x1dff) ||
    (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0xfe20 && code <= 0xfe2f)
  )
}

/** Voicing marks of kana; left over where no kana took them. */
export const isVoicing = (code: number): boolean => code === 0x3099 || code === 0x309a

/** Overlays strike a letter through; enclosing marks frame it. No script needs them. */
export const isOverlay = (code: number): boolean =>
  (code >= 0x334 && code <= 0x338) || (code >= 0x488 && code <= 0x489) || (code >= 0x20d0 && code <= 0x20ff)

/** Arabic vowel signs and tatweel, Hebrew points: writing with and without them is the same text. */
export function isOptionalPoint(code: number): boolean {
  if (code < 0x591 || code > 0x6ed) return false
  if (code < 0x5c8) return code <= 0x5bd || code === 0x5bf || (code >= 0x5c1 && code !== 0x5c3 && code !== 0x5c6)
  return (
    (code >= 0x610 && code <= 0x61a) ||
    code === 0x640 ||
    (code >= 0x64b && code <= 0x652) ||
    (code >= 0x656 && code <= 0x65f) ||
    code === 0x670 ||
    (code >= 0x6d6 && code <= 0x6dc) ||
    (code >= 0x6df && code <= 0x6e8 && code !== 0x6e5 && code !== 0x6e6) ||
    (code >= 0x6ea && code <= 0x6ed)
  )
}

// Second halves of the canonical compositions outside the generic marks (Unicode data, Composition column).
const seconds: ReadonlySet<number> = new Set([
  0x653, 0x654, 0x655, 0x93c, 0x9be, 0x9d7, 0xb3e, 0xb56, 0xb57, 0xbbe, 0xbd7, 0xc56, 0xcc2, 0xcd5, 0xcd6, 0xd3e, 0xd57,
  0xdca, 0xdcf, 0xddf, 0x102e, 0x1b35, 0x3099, 0x309a,
])

/** Whether a character may unite with the one before it: marks, vowel signs, Hangul vowels and finals. */
export const joinsPrevious = (code: number): boolean =>
  code >= 0x300 &&
  (isGenericMark(code) ||
    (code >= 0x1161 && code <= 0x1175) ||
    (code >= 0x11a8 && code <= 0x11c2) ||
    (code >= 0x314f && code <= 0x3163) ||
    (code >= 0xffc2 && code <= 0xffdc) ||
    code === 0xff9e ||
    code === 0xff9f ||
    isOptionalPoint(code) ||
    seconds.has(code))

/** Code points of the Latin script, marks apart. */
export const isLatin = (code: number): boolean =>
  code < 0x2b0
    ? (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code !== 0xd7 && code !== 0xf7)
    : (code >= 0x1d00 && code <= 0x1dbf) ||
      (code >= 0x1e00 && code <= 0x1eff) ||
      (code >= 0x2c60 && code <= 0x2c7f) ||
      (code >= 0xa720 && code <= 0xa7ff) ||
      (code >= 0xab30 && code <= 0xab6f)

/** Whitespace left after compatibility folding. */
export const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0x85 || code === 0x1680 || code === 0x2028 || code === 0x2029

/** Line ends of every convention. */
export const isLineEnd = (code: number): boolean =>
  (code >= 10 && code <= 13) || code === 0x85 || code === 0x2028 || code === 0x2029

export const isAsciiLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

/** Letters and digits of any script, roughly: from U+00AA on everything but general punctuation and symbols. */
export const isWordUnit = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 0xaa && code !== 0x1680 && !(code >= 0x2000 && code < 0x2c00) && !(code >= 0x3000 && code < 0x3005))

/** Bits of `unitKinds`. */
export const joinsBit = 1
export const hiddenBit = 2

/** Kind of a UTF-16 unit, in one look-up: whether it unites with the one before and whether it is hidden. */
export const unitKinds: Uint8Array = /* @__PURE__ */ buildKinds()

function buildKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000)
  for (let code = 0xad; code < 0x10000; code += 1) {
    kinds[code] = (joinsPrevious(code) ? joinsBit : 0) | (isHidden(code) ? hiddenBit : 0)
  }
  return kinds
}
