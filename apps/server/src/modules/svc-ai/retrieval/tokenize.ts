/**
 * Words of a text as the index knows them. Promises the same terms for the same text in documents and in questions, that
 * identifiers such as CVE-2024-3094, AML.T0051 and A.5.23 are terms of their own, and time that grows with the text alone.
 * Pure. Tested in tokenize.test.ts.
 */
import { stemOf } from './stem.ts'

/** `english` has stop words and stems; `simple` takes every word as it stands. */
export const languages = ['english', 'simple'] as const
export type Language = (typeof languages)[number]

const wordPattern = /[\p{L}\p{N}]+(?:[.\-_/:][\p{L}\p{N}]+)*/gu
const partPattern = /[\p{L}\p{N}]+/gu
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const longestTerm = 64

/** The English stop list that PostgreSQL and Snowball use. */
const stopWords: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
  itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
  has had having do does did doing a an the and but if or because as until while of at by for with about against between
  into through during before after above below to from up down in out on off over under again further then once here there
  when where why how all any both each few more most other some such no nor not only own same so than too very s t can will
  just don should now`.split(/\s+/),
)

/** The terms of a text in its order, repetitions included. */
export function termsOf(text: string, language: Language): string[] {
  const terms: string[] = []
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
  for (const [word] of plain.matchAll(wordPattern)) {
    const parts = word.match(partPattern) ?? []
    if (parts.length > 1 && /\p{N}/u.test(word)) terms.push(word.slice(0, longestTerm))
    for (const part of parts) addPart(terms, part, language)
  }
  return terms
}

function addPart(terms: string[], part: string, language: Language): void {
  if (unspaced.test(part)) {
    // Scripts without spaces between words: every two characters beside each other.
    const characters = [...part]
    if (characters.length === 1) terms.push(part)
    for (let index = 1; index < characters.length; index += 1)
      terms.push(`${characters[index - 1] ?? ''}${characters[index] ?? ''}`)
    return
  }
  if (language === 'simple') terms.push(part.slice(0, longestTerm))
  else if (!stopWords.has(part)) terms.push((/^[a-z]+$/.test(part) ? stemOf(part) : part).slice(0, longestTerm))
}

/** Share of stop words from which a text is taken for English: prose has a third to a half of them. */
const englishShare = 0.15

/** The language of a text by its stop words. */
export function languageOf(text: string): Language {
  const words =
    text
      .slice(0, 20_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const common = words.filter((word) => word.length > 1 && stopWords.has(word)).length
  return words.length > 0 && common / words.length >= englishShare ? 'english' : 'simple'
}
