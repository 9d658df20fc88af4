/**
 * The lexical guard of the semantic cache: the parts of a question that must match word for word before an earlier
 * answer is served. Two questions near each other may still ask for different things; numbers, dates, quotes, names,
 * placeholders, negations and opposites distinguish them, each with its adjacent word, so that a swapped order is
 * noticed too. Texts it cannot read (scripts without capitals or spaces, lowercase-only texts) are never served. Pure.
 * Tested in guard.test.ts.
 */
import { decisive, negations, openers } from './guard-words.ts'

const tokenPattern = new RegExp(
  [
    // Placeholders, in any of the bracket pairs.
    '(?<placeholder>[⟦[<{]{1,2}[A-Za-z][A-Za-z0-9_]*_\\d+[⟧\\]>}]{1,2})',
    '(?<quote>"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’|`[^`]*`|(?<!\\w)\'[^\']*\'(?!\\w))',
    // Numbers, dates, addresses, paths, names in code: any word with a digit or a sign inside.
    '(?<code>[^\\s"“”«»`]*(?:[\\d@_/\\\\]|(?<=[\\p{L}\\p{N}])[.:](?=[\\p{L}\\p{N}]))[^\\s"“”«»`]*)',
    "(?<word>[\\p{L}\\p{M}]+(?:['’-][\\p{L}\\p{M}]+)*)",
    '(?<sign>[<>=≤≥≠+*^%$€£¥~&|]+|!=)',
  ].join('|'),
  'gu',
)

type Kind = 'placeholder' | 'quote' | 'code' | 'word' | 'sign'

interface Token {
  readonly kind: Kind
  readonly text: string
  /** In lowercase. */
  readonly plain: string
  /** Whether it is the first word of its sentence. */
  readonly begins: boolean
}

/** Tokens that must be equal, in order; null for a text that cannot be distinguished from others this way. */
export function guardOf(text: string): readonly string[] | null {
  const read = text.normalize('NFKC').replaceAll('’', "'")
  if (!isReadable(read)) return null
  const tokens = tokensIn(read)
  return tokens.flatMap((token, at) => itemOf(token, tokens[at - 1], tokens[at + 1]))
}

/** Names can be recognized only in scripts with capital letters, and only if the writer uses them. */
function showsNames(text: string): boolean {
  return !/\p{Lo}/u.test(text) && /\p{Lu}/u.test(text)
}

/** Characters beyond which a text, or a piece of one without spaces, is not read: no person writes such questions. */
export const longestText = 4000
const longestRun = /\S{200}/

function isReadable(text: string): boolean {
  return text.length <= longestText && !longestRun.test(text) && showsNames(text)
}

function tokensIn(text: string): readonly Token[] {
  return [...text.matchAll(tokenPattern)].map(({ 0: found, index, groups = {} }) => {
    const kind = kinds.find((name) => groups[name] !== undefined) ?? 'word'
    const trimmed = kind === 'code' ? found.replace(/^[(,;]+|(?<![),.;:?!])[),.;:?!]+$/g, '') : found
    const begins = /(?:^|[.?!:;\n\r])[^\S\n\r]*$/.test(text.slice(Math.max(0, index - 8), index))
    return { kind, text: trimmed, plain: trimmed.toLowerCase(), begins }
  })
}

const kinds: readonly Kind[] = ['placeholder', 'quote', 'code', 'word', 'sign']

function itemOf(token: Token, before: Token | undefined, after: Token | undefined): readonly string[] {
  if (token.kind === 'word') {
    if (negations.has(token.plain)) return [`¬|${after?.plain ?? ''}`]
    if (!decisive.has(token.plain) && !isName(token)) return []
  }
  const said = token.kind === 'quote' ? token.text : token.plain
  return [`${before?.plain ?? ''}|${said}`]
}

function isName({ text, plain, begins }: Token): boolean {
  if (!/\p{Lu}/u.test(text) || plain === 'i' || /^i'/.test(plain)) return false
  return !(begins && openers.has(plain))
}
