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
/** Nothing but ASCII: there is nothing to fold then. */
function isPlain(word: string): boolean {
  for (let i = 0; i < word.length; i += 1) if (word.charCodeAt(i) >= 128) return false
  return true
}

const accents = /[\u0300-\u036f]/g
const letters = /[ßøłđæœıþð’]/g

/** Lower case without accents, so that José, JOSÉ and Jose are one key. Scripts without accents stay as they are. */
export function fold(word: string): string {
  const lower = word.toLowerCase()
  if (isPlain(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFC')
    .replace(letters, (letter) => special[letter] ?? letter)
}
