/**
 * Finds values in a text that arrives in pieces and tells which part of it is decided.
 * Promises the same findings for every way of cutting the text, those of the whole text, and linear work: a character
 * is looked at a bounded number of times, and hardly more than once where looking costs much. Tested in settling.test.ts and inspect.test.ts.
 */
import { byPosition, disjoint, type Finding } from '../base/finding.ts'
import { lookBehind, type Matcher } from '../base/matcher.ts'
import { taken, unlimited } from '../pii/base/effort.ts'
import { resolveOverlaps } from '../pii/resolve.ts'
import { createHorizon, type Horizon } from './horizon.ts'
import { createOpenings } from './openings.ts'

export interface Decided {
  /** Disjoint, in text order; positions count from the beginning of the stream. */
  readonly findings: readonly Finding[]
  /** Every finding that begins before this position has been given. */
  readonly upTo: number
}

/** Fewest characters by which the decided part grows; a search reads about 500 characters for them. */
export const step = 64
/** The same where every matcher is `marked`; a search reads about 200 characters. */
export const shortStep = 8
/** So far even those are searched for as soon as one character is settled: a reader waits for the first words. */
const veryFirst = 32
/** Work that searches may do for each new character on the average, in the units of an effort. */
export const workPerCharacter = 4
/** Most characters by which the decided part grows, however much is found in them. */
export const longestStep = 2_048
/** A longer chain of overlapping values is decided as far as it is known, so that nothing is held without end. */
export const longestChain = 16_384

export type MinScore = number | ((finding: Finding) => number)

export interface SettlingOptions {
  readonly matchers: readonly Matcher[]
  /** Findings below this score are ignored; it may be another for each kind. */
  readonly minScore: MinScore
  /** Whether a finding counts once overlaps within its detector are resolved. Default all. */
  readonly accepts?: (finding: Finding) => boolean
  /** Types of personal data that count; all when absent. */
  readonly types?: readonly string[] | undefined
  /** A character at which a value of a marked matcher may begin besides the usual ones. */
  readonly opening?: string
}

/** The overlap rules of a whole text: those of each detector, then whatever begins first keeps its place. */
export function mergeFindings(found: readonly Finding[], accepts: (finding: Finding) => boolean, floor = 0): Finding[] {
  const of = (...detectors: readonly Finding['detector'][]): Finding[] =>
    found.filter(({ detector }) => detectors.includes(detector))
  const sensitive = [...resolveOverlaps(of('pii')), ...disjoint(of('secret'))].filter(accepts)
  return disjoint([...sensitive, ...of('output', 'injection')], floor)
}

export class SettlingText {
  readonly #matchers: readonly Matcher[]
  readonly #counts: (finding: Finding) => boolean
  readonly #accepts: (finding: Finding) => boolean
  readonly #horizon: Horizon
  /** Fewest new characters for which it is worth to search. */
  readonly #shortest: number
  /** The same after what the last search cost; that depends on the text alone, never on how it was cut. */
  #step: number
  /** Text from `#base` on: the undecided part, and some before it for context. */
  #buffer = ''
  #base = 0
  #seen = 0
  #searched = 0
  #decided = 0
  /** End of the last finding that was given. */
  #floor = 0
  /** Findings in text order that are not given yet; from `#chain` on they overlap each other up to `#reach`. */
  #pending: Finding[] = []
  #chain = 0
  #reach = -1
  #given: Finding[] = []

  constructor({ matchers, minScore, types, accepts = () => true, opening }: SettlingOptions) {
    const isMarked = matchers.every(({ marked }) => marked === true)
    this.#matchers = matchers
    this.#accepts = accepts
    const least = typeof minScore === 'number' ? () => minScore : minScore
    this.#counts = (finding) =>
      finding.score >= least(finding) && (!types || finding.detector !== 'pii' || types.includes(finding.type))
    this.#horizon = createHorizon(isMarked ? createOpenings(opening) : undefined)
    this.#shortest = isMarked ? shortStep : step
    this.#step = this.#shortest
  }

  push(chunk: string): Decided {
    const first = this.#seen
    this.#buffer += chunk
    for (let i = 0; i < chunk.length; i += 1) {
      const horizon = this.#horizon.step(chunk.charCodeAt(i))
      this.#seen = first + i + 1
      if (horizon - this.#searched >= this.#least(horizon)) this.#search(horizon)
    }
    return this.#give()
  }

  /** Where much is open a search costs more, so it has to bring more. */
  #least(horizon: number): number {
    if (this.#shortest === shortStep && this.#searched < veryFirst) return 1
    return Math.max(this.#step, (this.#seen - horizon) / 4)
  }

  end(): Decided {
    this.#search(this.#seen)
    return this.#give()
  }

  /** As `push` and `end` of a text that is all there, searched once; for the first and only text. */
  whole(text: string): Decided {
    // A longer one may hold a chain that a stream gives up.
    if (text.length > longestChain) {
      const { findings } = this.push(text)
      const last = this.end()
      return { findings: [...findings, ...last.findings], upTo: last.upTo }
    }
    this.#buffer = text
    this.#seen = text.length
    return this.end()
  }

  /** Text that was pushed and not yet dropped. */
  slice(start: number, end: number): string {
    return this.#buffer.slice(start - this.#base, end - this.#base)
  }

  /** All the text from a position on that was pushed, also by a push that failed. */
  from(start: number): string {
    return this.#buffer.slice(start - this.#base)
  }

  /** Lets go of the text before a position, except what the next search needs. */
  drop(before: number): void {
    const keep = Math.min(before, this.#searched, this.#decided) - lookBehind
    if (keep - this.#base < lookBehind) return
    this.#buffer = this.slice(keep, this.#seen)
    this.#base = keep
  }

  /** Finds what begins before `until` and decides what nothing later can overlap. */
  #search(until: number): void {
    const from = Math.max(this.#base, this.#searched - lookBehind)
    const text = this.slice(from, this.#seen)
    const found: Finding[] = []
    const effort = unlimited()
    for (const matcher of this.#matchers) matcher.collect(text, this.#searched - from, found, effort)
    this.#step = Math.max(this.#shortest, Math.min(longestStep, Math.floor(taken(effort) / workPerCharacter)))
    const fresh = found
      .map((finding) => ({ ...finding, start: finding.start + from, end: finding.end + from }))
      .filter((finding) => finding.start >= this.#searched && finding.start < until && this.#counts(finding))
    this.#searched = until
    this.#append(fresh.sort(byPosition))
    this.#decide(until)
  }

  /** Adds findings that all begin after the pending ones, and keeps track of the last chain of overlaps. */
  #append(fresh: readonly Finding[]): void {
    for (const finding of fresh) {
      if (finding.start >= this.#reach) this.#chain = this.#pending.length
      this.#pending.push(finding)
      this.#reach = Math.max(this.#reach, finding.end)
    }
  }

  /** Only the last chain can still be joined by a later finding. */
  #decide(until: number): void {
    const open = this.#reach > until ? this.#chain : this.#pending.length
    const start = this.#pending[open]?.start ?? until
    const isEndless = until - start > longestChain
    const count = isEndless ? this.#pending.length : open
    this.#decided = isEndless ? until : Math.min(until, start)
    if (count === 0) return
    this.#take(this.#pending.slice(0, count))
    this.#pending = this.#pending.slice(count)
    this.#chain = 0
  }

  #take(chain: readonly Finding[]): void {
    for (const finding of mergeFindings(chain, this.#accepts, this.#floor)) {
      this.#given.push(finding)
      this.#floor = finding.end
    }
  }

  #give(): Decided {
    const findings = this.#given
    this.#given = []
    return { findings, upTo: this.#decided }
  }
}

/** Without a surrogate whose partner stays behind: alone it would become U+FFFD once encoded. */
export function beforeHalfPair(text: SettlingText, end: number): number {
  return /[\ud800-\udbff]/.test(text.slice(end - 1, end)) ? end - 1 : end
}
