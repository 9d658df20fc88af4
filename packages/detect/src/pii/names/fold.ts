/**
 * Folding of names before they are compared: lower case without accents.
 * Promises for every word what the Unicode forms give, and a look-up a character for words of letters that stand alone.
 * Tested in fold.test.ts.
 */
const special: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ð: 'd',
  '’': "'",
}

const accents = /[\u0300-\u036f]/g
const letters = /[ßøłđæœıþð’]/g

/** The same by the Unicode forms, for any text. */
export function foldSlowly(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFC')
    .replace(letters, (letter) => special[letter] ?? letter)
}

/**
 * Ranges of letters that neither change with their neighbors nor join them: Latin, Greek and Cyrillic, and letters
 * without case, which fold to themselves.
 */
const folding: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x24f],
  [0x386, 0x3ff],
  [0x400, 0x482],
  [0x48a, 0x52f],
  [0x1e00, 0x1eff],
  [0x2010, 0x201f],
]
const unchanging: readonly (readonly [from: number, to: number])[] = [
  [0x5d0, 0x5ea],
  [0x621, 0x64a],
  [0x671, 0x6d3],
  [0x904, 0x928],
  [0x92a, 0x930],
  [0x932, 0x933],
  [0x935, 0x939],
  [0xe01, 0xe37],
  [0x10d0, 0x10fa],
  [0x1200, 0x135a],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
]
// Σ has two small letters.
const sigma = 0x3a3

const isFolding = new Uint8Array(0x10000)
for (const [from, to] of folding) isFolding.fill(1, from, to + 1)
for (const [from, to] of unchanging) isFolding.fill(2, from, to + 1)
isFolding[sigma] = 0

const folded: (string | undefined)[] = []

function foldedUnit(code: number): string {
  const known = folded[code]
  if (known !== undefined) return known
  const unit = foldSlowly(String.fromCharCode(code))
  folded[code] = unit
  return unit
}

/** Nothing but ASCII: there is nothing to fold but case then. */
function isPlain(word: string): boolean {
  for (let i = 0; i < word.length; i += 1) if (word.charCodeAt(i) >= 128) return false
  return true
}

/** Lower case without accents, so that José, JOSÉ and Jose are one key. Scripts without accents stay as they are. */
export function fold(word: string): string {
  if (isPlain(word)) return word.toLowerCase()
  let result = ''
  let from = 0
  for (let i = 0; i < word.length; i += 1) {
    const code = word.charCodeAt(i)
    const way = isFolding[code]
    if (way === 2) continue
    if (way === 0) return foldSlowly(word)
    if (i > from) result += word.slice(from, i)
    result += foldedUnit(code)
    from = i + 1
  }
  return from === 0 ? word : result + word.slice(from)
}
