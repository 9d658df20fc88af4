/**
 * Searches a text that arrives in pieces for the patterns of a policy. Output and matches are the same for every way of
 * splitting the text, because decisions are made at fixed positions, and nothing from a blocking match on is released.
 * A match longer than the window may be found late. Tested in rule-stream.test.ts.
 */
import type { Span } from './tenant-patterns.ts'

export interface RuleMatch<R> extends Span {
  readonly rule: R
}

/** Action on a match; `replace` substitutes `text` for the matched text. */
export type MatchAction =
  | { readonly kind: 'pass' }
  | { readonly kind: 'block' }
  | { readonly kind: 'replace'; readonly text: string }

export interface RuleStreamOptions<R> {
  /** Maximum length of a match that is found before its first character is released. */
  readonly window: number
  /** All matches in a piece of the text; must depend on the piece alone. */
  readonly find: (piece: string) => readonly RuleMatch<R>[]
  readonly act: (match: RuleMatch<R>, value: string) => MatchAction
}

export interface RuleStream {
  push(text: string): string
  end(): string
  blocked(): boolean
  /** Input that has not been released, as it came; nothing after a block. For bypassing a failed filter. */
  held(): string
}

/** Characters before the undecided text that are read again, so that the beginning of a word is recognized. */
const lookBehind = 16

export function createRuleStream<R>(options: RuleStreamOptions<R>): RuleStream {
  return new RuleFilter(options)
}

/** Positions are absolute; `buffer` begins at `base`. */
class RuleFilter<R> implements RuleStream {
  readonly #options: RuleStreamOptions<R>
  /** Distance between decisions, so that a character is read about three times. */
  readonly #step: number
  #buffer = ''
  #base = 0
  #stepped = 0
  #decided = 0
  #released = 0
  #over = false
  #isBlocked = false
  #out: string[] = []

  constructor(options: RuleStreamOptions<R>) {
    this.#options = options
    this.#step = Math.max(32, options.window >> 1)
  }

  push(text: string): string {
    if (this.#over) return ''
    this.#buffer += text
    const end = this.#base + this.#buffer.length
    while (this.#stepped + this.#step <= end && !this.#over) {
      this.#stepped += this.#step
      this.#settle(this.#stepped - this.#options.window, this.#stepped)
    }
    return this.#drain()
  }

  end(): string {
    const end = this.#base + this.#buffer.length
    if (!this.#over) this.#settle(end, end)
    this.#over = true
    return this.#drain()
  }

  blocked(): boolean {
    return this.#isBlocked
  }

  held(): string {
    if (this.#over) return ''
    return `${this.#out.join('')}${this.#buffer.slice(this.#released - this.#base)}`
  }

  /** Decides matches that begin before `until`, reading the text up to `end`. */
  #settle(until: number, end: number): void {
    if (until <= this.#decided) return
    const from = Math.max(this.#base, this.#decided - lookBehind)
    const found = this.#options
      .find(this.#slice(from, end))
      .map((match) => ({ ...match, start: match.start + from, end: match.end + from }))
      .filter(({ start }) => start >= this.#decided && start < until)
      .sort((a, b) => a.start - b.start || b.end - a.end)
    for (const match of found) if (!this.#over) this.#apply(match)
    this.#decided = until
    if (!this.#over) this.#release(wholePairs(this.#buffer, until - this.#base) + this.#base)
  }

  #apply(match: RuleMatch<R>): void {
    const action = this.#options.act(match, this.#slice(match.start, match.end))
    if (action.kind === 'pass') return
    this.#release(match.start)
    if (action.kind === 'block') {
      this.#over = true
      this.#isBlocked = true
      return
    }
    if (match.start < this.#released && match.end <= this.#released) return
    this.#out.push(action.text)
    this.#released = Math.max(this.#released, match.end)
  }

  #release(end: number): void {
    if (end <= this.#released) return
    this.#out.push(this.#slice(this.#released, end))
    this.#released = end
  }

  #slice(start: number, end: number): string {
    return this.#buffer.slice(Math.max(0, start - this.#base), Math.max(0, end - this.#base))
  }

  #drain(): string {
    const text = this.#out.join('')
    this.#out = []
    const keep = Math.max(0, Math.min(this.#released, this.#decided - lookBehind) - this.#base)
    this.#buffer = this.#isBlocked ? '' : this.#buffer.slice(keep)
    this.#base += keep
    return text
  }
}

/** Length without a surrogate whose partner has not been decided yet. */
function wholePairs(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}
