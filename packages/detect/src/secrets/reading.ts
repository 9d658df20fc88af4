/**
 * Memory of one scan about its text, so that a stretch that many names share is read once.
 * Promises time linear in the text for all questions together. Tested through find-secrets.test.ts.
 */
export interface Reading {
  /** End of the run without blanks around a place. */
  readonly runEnd: (at: number) => number
  /** First place of a mark at or after a place, or the text's end. */
  readonly nextMark: (mark: string, at: number) => number
  /** First place at or after a place where a value without quotes ends, closing parentheses aside. */
  readonly plainStop: (at: number) => number
  /** First `)` at or after a place that closes what was opened before a value. */
  readonly outerClose: (at: number) => number
  /** False for a value that ends where several others ended: names inside names, not one name with its value. */
  readonly isFresh: (end: number) => boolean
  /** Judgments by the judged text, for values that come again and again; at most `maxScores`. */
  readonly scores: Map<string, number>
}

// Four names may nest in one value, as in `--env=TOKEN=key=…`; a text of nothing but names is not judged at each.
const maxNested = 4

/** Judgments that are kept: enough for texts that repeat themselves. */
export const maxScores = 256

/** Prepares the questions about one text. */
export function createReading(text: string): Reading {
  const marks = new Map<string, (at: number) => number>()
  return {
    runEnd: createSearch(text, (at) => isBlank(text.charCodeAt(at))),
    nextMark: (mark, at) => {
      const search = marks.get(mark) ?? createSearch(text, (place) => text.startsWith(mark, place))
      marks.set(mark, search)
      return search(at)
    },
    plainStop: createSearch(text, (at) => stopsPlain(text, at)),
    outerClose: createSearch(text, (at) => text.charCodeAt(at) === 41 && matchesAt(outerClose, text, at)),
    isFresh: createNesting(),
    scores: new Map(),
  }
}

/** First accepted place at or after a place; every character is read once however often it is asked. */
function createSearch(text: string, accepts: (at: number) => boolean): (at: number) => number {
  let [from, to] = [0, -1]
  return (at) => {
    if (at >= from && at <= to) return to
    from = at
    to = at
    while (to < text.length && !accepts(to)) to += 1
    return to
  }
}

function createNesting(): (end: number) => boolean {
  let [last, count] = [-1, 0]
  return (end) => {
    count = end === last ? count + 1 : 1
    last = end
    return count <= maxNested
  }
}

const isBlank = (code: number): boolean =>
  code <= 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x3000

const endsPlain = new Set([...'"\'`<>\u201c\u201d'].map((unit) => unit.charCodeAt(0)))
const mayEnd = new Set([...',;&|'].map((unit) => unit.charCodeAt(0)))
const nextField = /[,;&|](?:$|\s|["'`]|[A-Za-z_][\w.-]{0,30}[=:]|amp;|&)/y
const escapeEnd = /\\[nrt"']/y
const outerClose = /\)[\])}.,;]/y

function stopsPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code > 47 && code < 58) return false
  if (code > 64 && code < 92) return false
  if (code > 96 && code < 123) return false
  if (endsPlain.has(code)) return true
  if (code === 92) return matchesAt(escapeEnd, text, at)
  return mayEnd.has(code) && matchesAt(nextField, text, at)
}

/** Whether a sticky pattern matches at a place; its `lastIndex` then tells the end. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
