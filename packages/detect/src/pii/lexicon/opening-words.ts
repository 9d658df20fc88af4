/**
 * Words with which sentences and answers begin, and that are no name of anybody: articles, pronouns, prepositions and
 * the like, written as in a sentence. A finding that begins at one and continues behind a blank is made to begin behind
 * it, so that a stream can release these words before it knows what follows. Promises to look at most 20 units back.
 * Tested in opening-words.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { beginsMailbox, isBlank, isMailboxUnit, isSymbol } from '../base/characters.ts'
import { monthByName } from './month-names.ts'

const written = `
the this that these those there here a an you your we our it its he she they their his her who what which when where while
why how if in on at as to for from with without by of and or but so yes no not because since although though however also
based according certainly absolutely definitely sure great thank thanks unfortunately sorry apologies let before after
during once each every some many several most both all another first second third next then now below above given using
overall generally typically usually well please could would can does is are was were should has have had one okay ok
it's i'm i'd i'll i've you're you'll we're we'll they're that's there's here's what's let's don't doesn't isn't can't
der die das den dem ein eine einen einem einer es ich sie er wir ihr ihre hier um im am auf aus bei bis für mit nach von
vor zu zum zur wenn weil dass ob wie was wer wo warum welche welcher welches und oder aber auch ja nein gerne natürlich
klar leider basierend laut diese dieser dieses danke nicht sehr zunächst bitte
le la les une je tu il elle nous vous ils elles ce cette ces voici voilà bien oui non pour dans sur avec sans par du en et
ou mais si comme quand selon merci
el los las un una yo él ella nosotros esto este esta estos estas aquí sí para por con sin al y pero según claro gracias
lo hay
gli uno io ecco questo questa questi queste è sì di da ma se quando secondo certo certamente grazie per
os as um uma eu você aqui isto isso não em ao com mas segundo obrigado
de het een ik je jij wij dit deze nee op aan met van voor naar maar als hoe wat wanneer volgens natuurlijk
to ten ta oto tak nie dla w z ze na po i oraz lub ale jeśli jak kiedy według oczywiście
det en ett et jag jeg och og eller men om hur hvordan nej nei är er på med för här
это вот да нет для в на с по и или но если как когда конечно я вы мы он она они ваш вам чтобы
`
  .split(/\s/)
  // `des` is also December, and a date may begin there.
  .filter((word) => word !== '' && !monthByName.has(word))

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const forms = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap((word) => [word, capitalized(word)]).flatMap((word) => [word, word.replace("'", '\u2019')]))

/** A letter alone may be the first group of a number. */
const openings = forms(written.filter(({ length }) => length > 1))
/** Single letters that are words in a sentence, but where words before them say that a number follows. */
const alone: ReadonlySet<string> = new Set(['I', 'A'])

/** All of them as they stand in sentences, for tests and tables. */
export const openingWords: readonly string[] = [...openings]

const longest = written.reduce((most, { length }) => Math.max(most, length), 0)
const apostrophe = 0x2019

export interface OpeningOptions {
  /** Whether `I` and `A` count. */
  readonly alone?: boolean
}

/** Whether the word that ends at a place, behind whatever no name can hold, is one of them. */
export function isOpeningWord(text: string, end: number, options: OpeningOptions = {}): boolean {
  let start = end
  while (start > 0 && end - start <= longest + 2 && isWordUnit(text.charCodeAt(start - 1))) start -= 1
  while (start < end && !beginsMailbox(text.charCodeAt(start))) start += 1
  if (end - start > longest) return false
  const word = text.slice(start, end)
  return openings.has(word) || (options.alone === true && alone.has(word))
}

/** Where what seems to begin at `start` is said to begin. */
export function behindOpenings(text: string, start: number, options?: OpeningOptions): number {
  const end = wordEnd(text, start)
  if (end === start || !isBlank(text.charCodeAt(end)) || !isOpeningWord(text, end, options)) return start
  let behind = end
  while (isBlank(text.charCodeAt(behind))) behind += 1
  return behind
}

const isWordUnit = (code: number): boolean => isMailboxUnit(code) || code === apostrophe

/** The same for findings from an index on. */
export function putBehindOpenings({ text, found }: Searched, from: number, options?: OpeningOptions): void {
  for (let i = from; i < found.length; i += 1) {
    const finding = found[i]
    if (finding === undefined) continue
    const start = behindOpenings(text, finding.start, options)
    if (start !== finding.start && start < finding.end) found[i] = { ...finding, start }
  }
}

interface Searched {
  readonly text: string
  readonly found: Finding[]
}

/** Where a search has to begin so that it sees what is said to begin at `from` although a short word stands before it. */
export function wordBefore(text: string, from: number, longestShort: number): number {
  const startOf = (end: number): number => {
    let start = end
    while (start > 0 && end - start < longestShort && isSymbol(text.charCodeAt(start - 1))) start -= 1
    return start
  }
  const start = startOf(from)
  return start > 0 && isBlank(text.charCodeAt(start - 1)) ? startOf(start - 1) : start
}

function wordEnd(text: string, from: number): number {
  if (!beginsMailbox(text.charCodeAt(from))) return from
  let end = from
  while (end - from <= longest && isWordUnit(text.charCodeAt(end))) end += 1
  return end
}
