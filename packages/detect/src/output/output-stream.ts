/**
 * Inspects an answer while it is written. Every decision is taken at a position that is a multiple of 32, in the first
 * words also behind blanks, and reads only the text before it, so neither the findings nor the released text depend on
 * how the stream is cut. At most 511 characters are held back while a link, a command or a tag may be open; otherwise
 * under 50, and of the first words one or two. Where a passage of the system prompt ends the stream, text is held from the
 * word on with which such a passage may begin, so that no more than its first word leaves; at most
 * 2,048 characters.
 * Tested in output-stream.test.ts.
 */
import { byPosition, type Finding } from '../base/finding.ts'
import { foldCase } from './checks/fold-case.ts'
import { type LocalCheck, localBehind, localReach } from './checks/local-check.ts'
import type { OutputOptions } from './checks/options.ts'
import { isLinkType, outputChecks } from './checks/rules.ts'
import { type CanarySearch, planCanaries, searchCanaries } from './leak/canary-search.ts'
import { leakFinding } from './leak/prompt-cover.ts'
import { type Leak, type LeakTracker, trackLeak } from './leak/prompt-leak.ts'
import { shinglePrompt } from './leak/prompt-shingles.ts'
import { plainLink } from './links/neutralize.ts'
import { createLocalChecks } from './local-checks.ts'
import { type OutputOpeners, openerReach, openersFor } from './openers.ts'

export interface OutputStreamOptions extends OutputOptions {
  /** Dangerous links become text. Default false. */
  readonly neutralize?: boolean
  /** Links below this score are left as they are. Default 0.5. */
  readonly minScore?: number
  /** `block` ends the stream; must depend on the finding alone. */
  readonly onMatch?: (finding: Finding) => 'flag' | 'block'
}

export interface OutputChunk {
  /** Text that may leave now. */
  readonly text: string
  /** Findings decided by this chunk; positions count from the beginning of the stream, before any rewriting. */
  readonly findings: readonly Finding[]
  /** The finding that ended the stream; nothing is released after it was decided, nor from its start on. */
  readonly blocked: Finding | undefined
  /** How much of the system prompt has come out so far. */
  readonly leak: Leak | null
}

export interface OutputStream {
  push(chunk: string): OutputChunk
  end(): OutputChunk
  /** Input not yet released, unchanged; nothing after a block. For callers that continue without a failed stream. */
  held(): string
}

const stepSize = 32
/** Fewest characters between decisions behind blanks, and how far the first words go: a reader waits for them. */
const shortStep = 8
const firstWords = 128
/** So far something is decided behind each blank: until then the reader has nothing. */
const veryFirst = 32
/** Text that one decision covers: its first part is settled, the rest is what findings there may reach. */
const windowSize = 448
const settled = windowSize - localReach
/** A passage with so much between its words is held no longer. */
const longestHold = 2_048

/** Sample finding of a prompt passage, to ask whether it would end the stream. */
const aPassage = leakFinding({ start: 0, end: 0, rule: 'prompt-passage', score: 0.98, evidence: '' })

function endsAtPassages({ onMatch }: OutputStreamOptions): boolean {
  try {
    return onMatch?.(aPassage) === 'block'
  } catch {
    // A callback that fails does so when it receives a finding.
    return true
  }
}

/** Begins a stream; `foreign-values` is not checked in streams, redaction does that. */
export function createOutputStream(options: OutputStreamOptions = {}): OutputStream {
  return new OutputFilter(options)
}

/** Positions are absolute; `buffer` begins at `base` and keeps some text behind for context. */
class OutputFilter implements OutputStream {
  readonly #options: OutputStreamOptions
  readonly #local: LocalCheck
  readonly #openers: OutputOpeners
  readonly #canaries: CanarySearch | undefined
  readonly #leak: LeakTracker | undefined
  #buffer = ''
  #base = 0
  #stepped = 0
  #fed = 0
  #decided = 0
  #isOpen = false
  #released = 0
  #ended = false
  #blocked: Finding | undefined
  #out: string[] = []
  #findings: Finding[] = []

  constructor(options: OutputStreamOptions) {
    const { canaries = [], systemPrompt, conversation, checks = outputChecks } = options
    this.#options = options
    this.#local = createLocalChecks(options)
    this.#openers = openersFor(options)
    const plan = checks.includes('canary') ? planCanaries(canaries) : undefined
    const usesPrompt = systemPrompt !== undefined && checks.includes('prompt-leak')
    const shingles = usesPrompt ? shinglePrompt(systemPrompt, conversation) : undefined
    this.#canaries = plan ? searchCanaries(plan) : undefined
    this.#leak = shingles ? trackLeak(shingles, endsAtPassages(options)) : undefined
  }

  push(chunk: string): OutputChunk {
    if (this.#isOver()) return this.#drain()
    this.#buffer += chunk
    for (let next = this.#nextStep(); next >= 0 && !this.#blocked; next = this.#nextStep()) {
      this.#stepped = next
      this.#step(next)
    }
    return this.#drain()
  }

  end(): OutputChunk {
    if (!this.#isOver()) {
      const end = this.#base + this.#buffer.length
      this.#feed(end)
      if (!this.#blocked) for (const finding of this.#leak?.end() ?? []) this.#note(finding)
      if (!this.#blocked) this.#settle(end, end)
      if (!this.#blocked) this.#release(end)
    }
    this.#ended = true
    return this.#drain()
  }

  held(): string {
    if (this.#isOver()) return ''
    return `${this.#out.join('')}${this.#buffer.slice(this.#released - this.#base)}`
  }

  /** The next position at which something is decided, -1 when it has not come yet. */
  #nextStep(): number {
    const end = this.#base + this.#buffer.length
    for (let at = this.#stepped + 1; at <= end; at += 1) {
      if (at % stepSize === 0) return at
      if (at > firstWords || (at > veryFirst && at - this.#stepped < shortStep)) continue
      if (isBlank(this.#buffer.charCodeAt(at - 1 - this.#base))) return at
    }
    return -1
  }

  #isOver(): boolean {
    return this.#ended || this.#blocked !== undefined
  }

  #step(at: number): void {
    this.#feed(wholePairs(this.#buffer, at - this.#base) + this.#base)
    const until = Math.min(at, this.#heldFrom(at))
    while (!this.#blocked && this.#isFull(until)) {
      this.#settle(this.#decided + settled, this.#decided + windowSize)
      this.#isOpen = false
    }
    if (!this.#blocked) this.#release(wholePairs(this.#buffer, this.#decided - this.#base) + this.#base)
  }

  #heldFrom(at: number): number {
    const from = this.#leak?.heldFrom() ?? Number.POSITIVE_INFINITY
    return at - from > longestHold ? at : from
  }

  /** Leaks are followed to the end of the text, also in held-back parts. */
  #feed(end: number): void {
    if (end <= this.#fed) return
    const piece = this.#slice(this.#fed, end)
    this.#fed = end
    for (const finding of [...(this.#canaries?.feed(piece) ?? []), ...(this.#leak?.feed(piece) ?? [])]) {
      if (!this.#blocked) this.#note(finding)
    }
  }

  /** Moves on over text in which nothing begins; answers whether the window before `at` is full. */
  #isFull(at: number): boolean {
    if (!this.#isOpen) {
      const text = foldCase(this.#slice(this.#decided, at))
      const opener = this.#openers.firstEnd(text)
      this.#isOpen = opener >= 0
      this.#decided += Math.max(0, opener < 0 ? text.length - this.#openers.undecidedEnd(text) : opener - openerReach)
    }
    return at - this.#decided >= windowSize
  }

  /** Decides what begins before `until`, reading the text up to `end`. */
  #settle(until: number, end: number): void {
    const from = Math.max(this.#base, this.#decided - localBehind)
    const found: Finding[] = []
    this.#local(this.#slice(from, end), found)
    const begun = found
      .map((finding) => ({ ...finding, start: finding.start + from, end: finding.end + from }))
      .filter(({ start }) => start >= this.#decided && start < until)
    for (const finding of begun.sort(byPosition)) if (!this.#blocked) this.#apply(finding)
    this.#decided = until
  }

  #apply(finding: Finding): void {
    const { neutralize = false, minScore = 0.5 } = this.#options
    this.#release(finding.start)
    this.#note(finding)
    if (this.#blocked || !neutralize || !isLinkType(finding.type) || finding.score < minScore) return
    if (finding.start >= this.#released) this.#out.push(plainLink(this.#slice(finding.start, finding.end)))
    this.#released = Math.max(this.#released, finding.end)
  }

  #note(finding: Finding): void {
    this.#findings.push(finding)
    if (this.#options.onMatch?.(finding) === 'block') this.#blocked = finding
  }

  #release(end: number): void {
    if (end <= this.#released) return
    this.#out.push(this.#slice(this.#released, end))
    this.#released = end
  }

  #slice(start: number, end: number): string {
    return this.#buffer.slice(Math.max(0, start - this.#base), Math.max(0, end - this.#base))
  }

  #drain(): OutputChunk {
    const leak = this.#leak?.leak() ?? null
    const chunk = { text: this.#out.join(''), findings: this.#findings, blocked: this.#blocked, leak }
    this.#out = []
    this.#findings = []
    const keep = Math.min(this.#decided - localBehind - openerReach, this.#released, this.#fed) - this.#base
    this.#buffer = this.#blocked ? '' : this.#buffer.slice(Math.max(0, keep))
    this.#base += Math.max(0, keep)
    return chunk
  }
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/** Length without a surrogate whose partner has not arrived. */
const wholePairs = (text: string, end: number): number => {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}
