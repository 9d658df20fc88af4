/**
 * Patterns that customers write, run on an engine without backtracking.
 * Promises that no pattern and no text takes more than a bounded number of passes over the text, and that nothing
 * throws. Unsupported syntax (look-around, back-references) is refused with an explanation. Tested beside.
 */
import { RE2JS } from 're2js'
import { refusalOf } from './refusals.ts'

export interface PatternOptions {
  /** Any of `i` (ignore case), `m` (^ and $ at every line) and `s` (. matches line ends). */
  readonly flags?: string
  /** Most characters of the source. Default 512. */
  readonly maxLength?: number
}

export type CompiledPattern =
  | { readonly ok: true; readonly pattern: CustomerPattern }
  /** One sentence for the pattern's author. */
  | { readonly ok: false; readonly reason: string }

export interface PatternMatches {
  /** In text order, disjoint; UTF-16 offsets, the end exclusive. */
  readonly matches: readonly { readonly start: number; readonly end: number }[]
  /** False when the limit or the work allowed ended the search: there may be more. */
  readonly complete: boolean
}

export interface CustomerPattern {
  readonly source: string
  readonly flags: string
  /** Whether it matches where there is nothing, so that it would match everywhere. */
  readonly matchesEmptyText: boolean
  /** Whether it matches anywhere: one pass. */
  test(text: string): boolean
  /** The first `limit` matches, at most 1,000; leftmost first, as in Perl. A match of no characters counts. */
  findAll(text: string, limit?: number): PatternMatches
}

/** Instructions of the compiled program: each may cost a step at each character. Literals need one a letter. */
const maxProgram = 600
const mostMatches = 1_000

/** Compiles one pattern; says in plain words why not. */
export function compilePattern(source: string, options: PatternOptions = {}): CompiledPattern {
  const { flags = '', maxLength = 512 } = options
  if (source === '') return refused('It is empty.')
  if (source.length > maxLength) return refused(`It has ${source.length} characters; ${maxLength} are allowed.`)
  const bits = flagBits(flags)
  if (bits === undefined) return refused('Its flags are not any of i, m and s, each at most once.')
  try {
    const engine = RE2JS.compile(source, bits)
    const size = engine.programSize()
    if (size > maxProgram) return refused(`It grows to ${size} steps with its repeats; ${maxProgram} are allowed.`)
    return { ok: true, pattern: createPattern(engine, source, flags) }
  } catch (error) {
    return refused(refusalOf(error))
  }
}

function refused(reason: string): CompiledPattern {
  return { ok: false, reason }
}

function flagBits(flags: string): number | undefined {
  const known = new Map([
    ['i', RE2JS.CASE_INSENSITIVE],
    ['m', RE2JS.MULTILINE],
    ['s', RE2JS.DOTALL],
  ])
  let bits = 0
  for (const flag of flags) {
    const bit = known.get(flag)
    if (bit === undefined || (bits & bit) !== 0) return undefined
    bits |= bit
  }
  return bits
}

function createPattern(engine: RE2JS, source: string, flags: string): CustomerPattern {
  const search: Search = { engine, size: engine.programSize(), unbounded: mayRepeatForever(source) }
  return {
    source,
    flags,
    matchesEmptyText: engine.test(''),
    test: (text) => engine.test(text),
    findAll: (text, limit = 100) => findAll(search, text, Math.max(0, Math.min(limit, mostMatches))),
  }
}

interface Search {
  readonly engine: RE2JS
  readonly size: number
  readonly unbounded: boolean
}

/** Errs on the side of yes: a `+` in a class counts. */
function mayRepeatForever(source: string): boolean {
  return /[*+]|\{\d{1,4},\}/.test(source)
}

/**
 * Steps of work for all searches in one text. Each search is one pass, but `a.*b|a` reads to the end for every `a` it
 * finds, so that the passes would add up to the square of the length. Enough for 80 matches of such a pattern in
 * 100,000 characters, which take about a second; longer texts always get the pass that they need.
 */
const allowedWork = 8_000_000

function findAll(search: Search, text: string, limit: number): PatternMatches {
  const matches: { start: number; end: number }[] = []
  const matcher = search.engine.matcher(text)
  let work = 0
  let from = 0
  while (matches.length < limit && work < allowedWork) {
    if (!matcher.find()) return { matches, complete: true }
    const [start, end] = [matcher.start(), matcher.end()]
    matches.push({ start, end })
    work += workOf(search, from, { end, length: text.length })
    from = end
  }
  return { matches, complete: false }
}

/** An unbounded pattern may have read to the end; a bounded one no further than its longest match. */
function workOf({ size, unbounded }: Search, from: number, text: { end: number; length: number }): number {
  const read = unbounded ? text.length - from : Math.min(text.length, text.end + 2 * size) - from
  return read * (1 + size / 32)
}
