/** A placeholder is `⟦TYPE_n⟧`: upper-case type, `n` from 1 in order of first appearance. */
export interface Brackets {
  readonly open: string
  readonly close: string
}

export const defaultBrackets: Brackets = { open: '\u27e6', close: '\u27e7' }

const maxType = 26

/** A finding type as it appears in a placeholder: upper case, digits and underscores, at most 26 characters. */
export function placeholderType(type: string): string {
  const safe = type
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, '_')
    .slice(0, maxType)
  return /^[A-Z]/.test(safe) ? safe : `T${safe}`.slice(0, maxType)
}

/** Name part of a placeholder, in any case. */
export const nameShape = /^[A-Za-z][A-Za-z0-9_]{0,25}_[0-9]{1,7}$/

export interface BracketPair extends Brackets {
  /** The vault's own pair; the others are what models make of it. */
  readonly exact: boolean
}

// Longer openings before their prefixes.
const rewritten: readonly Brackets[] = [
  { open: '{{', close: '}}' },
  { open: '[[', close: ']]' },
  { open: '<<', close: '>>' },
  { open: '\\[', close: '\\]' },
  { open: '\\<', close: '\\>' },
  { open: '&lt;', close: '&gt;' },
  { open: '[', close: ']' },
  { open: '<', close: '>' },
  { open: '(', close: ')' },
  { open: '{', close: '}' },
  // Full-width, lenticular, tortoise-shell, angle, corner and quotation brackets, as translations put them.
  ...[
    '［］',
    '（）',
    '｛｝',
    '＜＞',
    '【】',
    '〖〗',
    '〔〕',
    '〘〙',
    '〚〛',
    '〈〉',
    '《》',
    '⟨⟩',
    '⟪⟫',
    '「」',
    '『』',
    '«»',
    '‹›',
  ].map((pair) => ({ open: pair.charAt(0), close: pair.charAt(1) })),
  defaultBrackets,
]

/** All pairs in which a placeholder may come back, the exact one first, longer openings before their prefixes. */
export function acceptedPairs(own: Brackets): readonly BracketPair[] {
  // Around a placeholder in `<` and `>`, a typed `<` and `>` must not be read as the pair `<<` and `>>`.
  const others = rewritten.filter(({ open }) => !open.includes(own.open)).map((pair) => ({ ...pair, exact: false }))
  return [{ ...own, exact: true }, ...others]
}

/**
 * The same pairs as they look inside a JSON string: backslashes doubled, and for writers that escape, as `\uXXXX`.
 * Escaped brackets are never exact, because a caller may have typed the escapes.
 */
export function jsonPairs(pairs: readonly BracketPair[]): readonly BracketPair[] {
  const inJson = pairs.map((pair) => ({ ...pair, open: jsonText(pair.open), close: jsonText(pair.close) }))
  const escaped = pairs
    .filter(({ open }) => /[\u0080-\uffff<]/.test(open) && !open.includes('\\'))
    .flatMap((pair) =>
      [lowerEscapes, upperEscapes].map((write) => ({ open: write(pair.open), close: write(pair.close), exact: false })),
    )
  return [...inJson, ...escaped]
}

const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1)

const lowerEscapes = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')

const upperEscapes = (text: string): string => lowerEscapes(text).toUpperCase().replaceAll('\\U', '\\u')
