/**
 * Text with the wildcards of Sigma: `*` for any characters, `?` for one, and a backslash before either, or before another
 * backslash, for itself. Matching is linear in the text for each star. Pure. Tested in detection.test.ts.
 */

/** Literal pieces, `null` for one character and `'*'` never inside a literal. */
type Token = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'one' } | { readonly kind: 'many' }

export function tokensOf(value: string): readonly Token[] {
  const tokens: Token[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') tokens.push({ kind: 'text', text })
    text = ''
  }
  for (let i = 0; i < value.length; i += 1) {
    const [char = '', next = ''] = [value[i], value[i + 1]]
    if (char === '\\' && (next === '*' || next === '?' || next === '\\')) {
      text += next
      i += 1
    } else if (char === '*' || char === '?') {
      flush()
      tokens.push({ kind: char === '*' ? 'many' : 'one' })
    } else text += char
  }
  flush()
  return tokens
}

/** The text where it has no wildcard, else null. */
export function literalOf(value: string): string | null {
  const tokens = tokensOf(value)
  if (tokens.length === 0) return ''
  const [only] = tokens
  return tokens.length === 1 && only?.kind === 'text' ? only.text : null
}

export type TextTest = (text: string) => boolean

/**
 * A test of a whole text, or of a part of it.
 * @param open sides at which the text may go on: `contains` both, `startswith` the end, `endswith` the beginning
 */
export function wildcardTest(value: string, open: { readonly start: boolean; readonly end: boolean }): TextTest {
  const literal = literalOf(value)
  if (literal !== null) return literalTest(literal, open)
  const tokens: readonly Token[] = [
    ...(open.start ? [{ kind: 'many' } as const] : []),
    ...tokensOf(value),
    ...(open.end ? [{ kind: 'many' } as const] : []),
  ]
  const pattern = unitsOf(tokens)
  return (text) => matchesUnits(pattern, text)
}

function literalTest(literal: string, { start, end }: { readonly start: boolean; readonly end: boolean }): TextTest {
  if (start && end) return (text) => text.includes(literal)
  if (start) return (text) => text.endsWith(literal)
  if (end) return (text) => text.startsWith(literal)
  return (text) => text === literal
}

/** One entry for each character: the character, `null` for any one, `undefined` for any number. */
type Unit = string | null | undefined

const unitsOf = (tokens: readonly Token[]): readonly Unit[] =>
  tokens.flatMap((token): Unit[] =>
    token.kind === 'text' ? token.text.split('') : [token.kind === 'one' ? null : undefined],
  )

/** Greedy matching that goes back to the last star only: at worst the length of the text times that of the pattern. */
function matchesUnits(pattern: readonly Unit[], text: string): boolean {
  let at = 0
  let place = 0
  let star = -1
  let resume = 0
  while (at < text.length) {
    const unit = pattern[place]
    if (place < pattern.length && unit === undefined) {
      star = place
      place += 1
      resume = at
    } else if (place < pattern.length && (unit === null || unit === text[at])) {
      at += 1
      place += 1
    } else if (star >= 0) {
      place = star + 1
      resume += 1
      at = resume
    } else return false
  }
  while (place < pattern.length && pattern[place] === undefined) place += 1
  return place === pattern.length
}
