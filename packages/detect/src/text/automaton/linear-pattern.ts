/**
 * Reads a regular expression's source and says why it might take more than linear time.
 * Promises that a pattern without faults does a bounded amount of work from every start position, given windows of
 * bounded length; it is stricter than needed and knows no `v` flag. Tested in linear-pattern.test.ts.
 */

/** Highest count of one bounded repeat, and of repeats inside repeats multiplied. */
export const maxRepeat = 64

/** Sentences about back-references, look-behind, unbounded or nested repeats; empty for a pattern that is safe. */
export function patternFaults(source: string): string[] {
  const reader: Reader = { source, at: 0, faults: [] }
  readAlternatives(reader)
  if (reader.at < source.length) reader.faults.push(`unmatched ) at ${reader.at}`)
  return reader.faults
}

interface Reader {
  readonly source: string
  readonly faults: string[]
  at: number
}

interface Atom {
  readonly text: string
  /** Most characters-with-choice one pass through a group may repeat; 1 for a single character. */
  readonly repeats: number
}

/** Reads up to the end or a closing parenthesis; answers the highest repeat count inside. */
function readAlternatives(reader: Reader): number {
  let repeats = 1
  while (reader.at < reader.source.length && reader.source[reader.at] !== ')') {
    if (reader.source[reader.at] === '|') reader.at += 1
    else repeats = Math.max(repeats, readTerm(reader))
  }
  return repeats
}

function readTerm(reader: Reader): number {
  const start = reader.at
  const atom = readAtom(reader)
  const most = readQuantifier(reader)
  if (most === Number.POSITIVE_INFINITY) {
    if (!endsAtNext(reader, atom)) reader.faults.push(`unbounded repeat of ${atom.text} at ${start}`)
  } else if (most > maxRepeat) reader.faults.push(`more than ${maxRepeat} repeats at ${start}`)
  if (most > 1 && atom.repeats > 1 && most * atom.repeats > maxRepeat) reader.faults.push(`nested repeats at ${start}`)
  return most * atom.repeats
}

/** A negated class is free to repeat when the next character is one it excludes: there is only one way to match. */
function endsAtNext({ source, at }: Reader, { text }: Atom): boolean {
  if (!text.startsWith('[^')) return false
  const next = source[at] === '\\' ? source.slice(at, at + 2) : source.slice(at, at + 1)
  const bare = next.replace('\\', '')
  if (next === '' || /^\\[A-Za-z0-9]$/.test(next) || (next.length === 1 && '()|[].^$'.includes(next))) return false
  return text.slice(2, -1).includes(bare)
}

function readAtom(reader: Reader): Atom {
  const { source, at } = reader
  if (source[at] === '(') return readGroup(reader)
  if (source[at] === '[') return readClass(reader)
  const length = source[at] === '\\' ? escapeLength(reader) : 1
  reader.at += length
  return { text: source.slice(at, at + length), repeats: 1 }
}

function readGroup(reader: Reader): Atom {
  const { source, at } = reader
  const opening = /^\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]{0,64}>))?/.exec(source.slice(at))?.[0] ?? '('
  if (opening === '(?<=' || opening === '(?<!') reader.faults.push(`look-behind at ${at}`)
  reader.at += opening.length
  const repeats = readAlternatives(reader)
  if (source[reader.at] !== ')') reader.faults.push(`unclosed ( at ${at}`)
  reader.at += 1
  return { text: source.slice(at, reader.at), repeats }
}

function readClass(reader: Reader): Atom {
  const start = reader.at
  reader.at += 1
  while (reader.at < reader.source.length && reader.source[reader.at] !== ']')
    reader.at += reader.source[reader.at] === '\\' ? 2 : 1
  reader.at += 1
  return { text: reader.source.slice(start, reader.at), repeats: 1 }
}

function escapeLength({ source, at, faults }: Reader): number {
  const rest = source.slice(at + 1)
  if (/^(?:[1-9]|k<)/.test(rest)) faults.push(`back-reference at ${at}`)
  const long = /^(?:u\{[0-9a-f]{1,6}\}|u[0-9a-f]{4}|x[0-9a-f]{2}|p\{[^}]{1,40}\}|P\{[^}]{1,40}\})/i.exec(rest)?.[0]
  return 1 + (long?.length ?? 1)
}

/** Reads `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}` with an optional `?`; answers the highest count, 1 without one. */
function readQuantifier(reader: Reader): number {
  const found = /^(?:[*+?]|\{(\d{1,6})(,?)(\d{0,6})\})\??/.exec(reader.source.slice(reader.at, reader.at + 20))
  if (!found) return 1
  reader.at += found[0].length
  const sign = found[0].charAt(0)
  if (sign === '?') return 1
  if (sign === '*' || sign === '+') return Number.POSITIVE_INFINITY
  const [, least = '', comma, most = ''] = found
  return most === '' ? (comma ? Number.POSITIVE_INFINITY : Number(least)) : Number(most)
}
