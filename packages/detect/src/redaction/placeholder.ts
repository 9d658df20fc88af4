/** A placeholder is `⟦TYPE_n⟧`: upper-case type, `n` from 1 in order of first appearance. */
export interface Brackets {
  readonly open: string
  readonly close: string
}

export const defaultBrackets: Brackets = { open: '\u27e6', close: '\u27e7' }

// With the longest pair of brackets a name of 34 stays inside the 40 characters a stream holds back.
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

/** All pairs in which a placeholder may come back, the exact one first, longer openings before their prefixes. */
export function acceptedPairs(own: Brackets): readonly BracketPair[] {
  const rewritten = [{ open: '{{', close: '}}' }, { open: '[', close: ']' }, { open: '<', close: '>' }, defaultBrackets]
  const others = rewritten.filter(({ open }) => open !== own.open).map((pair) => ({ ...pair, exact: false }))
  return [{ ...own, exact: true }, ...others]
}

/** The same pairs as they look inside a JSON string whose writer escapes everything outside ASCII. */
export function jsonPairs(pairs: readonly BracketPair[]): readonly BracketPair[] {
  const escaped = pairs
    .filter(({ open }) => /[\u0080-\uffff]/.test(open))
    .flatMap((pair) => [
      { ...pair, open: unicodeEscapes(pair.open), close: unicodeEscapes(pair.close) },
      {
        ...pair,
        open: unicodeEscapes(pair.open).toUpperCase().replaceAll('\\U', '\\u'),
        close: unicodeEscapes(pair.close).toUpperCase().replaceAll('\\U', '\\u'),
      },
    ])
  return [...pairs, ...escaped]
}

const unicodeEscapes = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
