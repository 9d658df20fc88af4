/**
 * Names that look like other names. The skeleton is that of Unicode Technical Standard #39, section 4, with a small table:
 * the letters of Cyrillic, Greek, Armenian and Cherokee, and digits, that common typefaces draw as a Latin letter
 * (confusables.txt of UTS #39, revision 30). Pure. Tested in names.test.ts.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', ё: 'e', ԍ: 'g', һ: 'h', і: 'i', ї: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm' },
  ...{ н: 'h', о: 'o', р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', у: 'y', ѵ: 'v', ԝ: 'w', х: 'x', ү: 'y', ь: 'b', п: 'n' },
  // Greek
  ...{
    α: 'a',
    β: 'b',
    ε: 'e',
    γ: 'y',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'u',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    σ: 'o',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ω: 'w',
  },
  // Armenian and Cherokee
  ...{ ա: 'w', հ: 'h', ո: 'n', ս: 'u', օ: 'o', ց: 'g', զ: 'q', ꭰ: 'd', ꭱ: 'r', ꭺ: 'a', ꮯ: 'c', ꮩ: 'v' },
  // Latin letters and signs that stand for plain ones
  ...{
    ı: 'i',
    ɑ: 'a',
    ɡ: 'g',
    ɩ: 'i',
    ʟ: 'l',
    ᴏ: 'o',
    ѡ: 'w',
    ƽ: 's',
    ȷ: 'j',
    ɪ: 'i',
    ʀ: 'r',
    ᴄ: 'c',
    ᴠ: 'v',
    ᴡ: 'w',
    ᴢ: 'z',
  },
  ...{
    '0': 'o',
    '1': 'l',
    '|': 'l',
    ӏ: 'l',
    '‐': '-',
    '‑': '-',
    '–': '-',
    '—': '-',
    '−': '-',
    _: '-',
    '.': '-',
    ' ': '-',
  },
}

const invisible = /[\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u3164\uffa0\u2800]/gu

/** Two names with one skeleton look alike. */
export function skeleton(name: string): string {
  const plain = name.normalize('NFKD').replace(invisible, '').toLowerCase()
  return [...plain]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

const outsideAscii = /[^\x20-\x7e]/

/** Whether a name holds letters that pass for Latin ones, or nothing that is seen. */
export function isDisguised(name: string): boolean {
  if (!outsideAscii.test(name)) return false
  if (new RegExp(invisible.source, 'u').test(name.normalize('NFC'))) return true
  const hasLatin = /[a-z]/i.test(name)
  const foreign = [...name.toLowerCase()].filter((letter) => outsideAscii.test(letter))
  return (
    foreign.some((letter) => Object.hasOwn(lookAlikes, letter)) &&
    (hasLatin || foreign.every((l) => Object.hasOwn(lookAlikes, l)))
  )
}

/** Damerau–Levenshtein distance, in which adjacent letters that changed places count once; at most `most` + 1. */
export function editDistance(one: string, other: string, most = 1): number {
  const [a, b] = [[...one], [...other]]
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = b.map((_, index) => index).concat(b.length)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + cost,
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return Math.min(last[b.length] ?? 0, most + 1)
}

/** Jaro–Winkler similarity, 0..1, prefix weight 0.1 over at most 4 letters (Winkler 1990). */
export function jaroWinkler(one: string, other: string): number {
  const jaro = jaroOf([...one], [...other])
  let prefix = 0
  while (prefix < 4 && prefix < one.length && one[prefix] === other[prefix]) prefix += 1
  return jaro + prefix * 0.1 * (1 - jaro)
}

function jaroOf(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1)
  const taken = new Array<boolean>(b.length).fill(false)
  const matched: string[] = []
  a.forEach((letter, i) => {
    for (let j = Math.max(0, i - reach); j <= Math.min(b.length - 1, i + reach); j += 1)
      if (taken[j] !== true && b[j] === letter) {
        taken[j] = true
        matched.push(letter)
        return
      }
  })
  if (matched.length === 0) return 0
  const others = b.filter((_, j) => taken[j])
  const moved = matched.filter((letter, index) => letter !== others[index]).length / 2
  const m = matched.length
  return (m / a.length + m / b.length + (m - moved) / m) / 3
}
