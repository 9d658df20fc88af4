/**
 * Looks for secrets and personal data in a text that arrives in pieces.
 * Promises that output, findings and the place of a block are the same for every way of cutting the text, and that
 * nothing is released that a redact or block rule matches; it does not put values back. Tested in inspect.test.ts.
 */
import { disjoint, type Finding } from '../finding.ts'
import { lookBehind, type Matcher } from '../matcher.ts'
import { defaultMinScore, piiMatchers } from '../pii/find-pii.ts'
import { createVault, type Vault } from '../redaction/vault.ts'
import { secretMatchers } from '../secrets/find-secrets.ts'
import { type Boundary, createZones, numberReach, tokenReach } from './zones.ts'

export type InspectAction = 'redact' | 'block' | 'flag'

export interface InspectOptions {
  readonly detectors: readonly ('secret' | 'pii')[]
  /** What a finding leads to; must depend on the finding alone. */
  readonly onMatch: (finding: Finding) => InspectAction
  /** Numbers the `OUT_TYPE_n` placeholders; share it between the streams of one call. A fresh one when absent. */
  readonly vault?: Vault
  /** Findings below this score are ignored. Default 0.5. */
  readonly minScore?: number
}

export interface InspectedChunk {
  /** Text that may leave now. */
  readonly text: string
  /** Findings decided by this chunk; positions count from the beginning of the stream, before redaction. */
  readonly findings: readonly Finding[]
  /** The finding that ended the stream, once there is one; nothing is released from its start on. */
  readonly blocked: Finding | undefined
}

export interface InspectStream {
  push(chunk: string): InspectedChunk
  end(): InspectedChunk
}

/**
 * A stream filter. Text is held back only while a value could still grow: the unfinished word, a run of number groups
 * (at most 256 characters), an open private key (8,192) and, for one endless word, 16,384 characters. Beyond these
 * bounds the early part is decided while the last 8,193 characters stay, which is longer than any value, so the
 * guarantees hold for hostile input too.
 */
export function createInspectStream(options: InspectOptions): InspectStream {
  return new Inspector(options)
}

/** Positions are absolute; `buffer` begins at `base` and keeps some text behind for context. */
class Inspector implements InspectStream {
  readonly #options: InspectOptions
  readonly #matchers: readonly Matcher[]
  readonly #vault: Vault
  readonly #zones = createZones()
  #buffer = ''
  #base = 0
  #scanned = 0
  #decided = 0
  #released = 0
  #ended = false
  #blocked: Finding | undefined
  #out: string[] = []
  #findings: Finding[] = []

  constructor(options: InspectOptions) {
    const { detectors, vault = createVault() } = options
    this.#options = options
    this.#vault = vault
    this.#matchers = [
      ...(detectors.includes('pii') ? piiMatchers : []),
      ...(detectors.includes('secret') ? secretMatchers : []),
    ]
  }

  push(chunk: string): InspectedChunk {
    if (this.#blocked || this.#ended) return this.#drain()
    this.#buffer += chunk
    for (const end = this.#base + this.#buffer.length; this.#scanned < end && !this.#blocked; this.#scanned += 1) {
      const boundary = this.#zones.step(this.#buffer.charCodeAt(this.#scanned - this.#base))
      if (boundary !== 'none') this.#cross(boundary, this.#scanned)
    }
    if (!this.#blocked) this.#release(this.#base + wholePairs(this.#buffer, this.#decided - this.#base))
    return this.#drain()
  }

  end(): InspectedChunk {
    if (!this.#blocked && !this.#ended) {
      this.#settle(this.#scanned, this.#scanned)
      if (!this.#blocked) this.#release(this.#scanned)
    }
    this.#ended = true
    return this.#drain()
  }

  #cross(boundary: Exclude<Boundary, 'none'>, at: number): void {
    switch (boundary) {
      case 'close':
        this.#settle(at, at)
        this.#decided = at + 1
        return
      case 'settle-numbers':
        this.#settle(at + 1 - numberReach, at + 1)
        return
      case 'settle-all':
        this.#settle(at + 1 - tokenReach, at + 1)
        return
      default:
        boundary satisfies never
    }
  }

  /** Decides every value that begins before `until`, reading the text up to `end`. */
  #settle(until: number, end: number): void {
    if (until <= this.#decided) return
    for (const finding of disjoint(this.#valuesBefore(until, end), this.#released)) {
      if (!this.#blocked) this.#apply(finding)
    }
    this.#decided = until
    if (!this.#blocked) this.#release(until)
  }

  #valuesBefore(until: number, end: number): Finding[] {
    if (!mayHoldValue(this.#buffer, this.#decided - this.#base, end - this.#base)) return []
    const { minScore = defaultMinScore } = this.#options
    const from = Math.max(this.#base, this.#decided - lookBehind)
    return matchesIn(this.#slice(from, end), this.#decided - from, this.#matchers)
      .map((finding) => ({ ...finding, start: finding.start + from, end: finding.end + from }))
      .filter(({ score, start }) => score >= minScore && start >= this.#decided && start < until)
  }

  #apply(finding: Finding): void {
    this.#findings.push(finding)
    this.#release(finding.start)
    const action = this.#options.onMatch(finding)
    if (action === 'block') this.#blocked = finding
    else if (action === 'flag') this.#release(finding.end)
    else {
      this.#out.push(this.#vault.outPlaceholderFor(finding.type, this.#slice(finding.start, finding.end)))
      this.#released = finding.end
    }
  }

  #release(end: number): void {
    if (end <= this.#released) return
    this.#out.push(this.#slice(this.#released, end))
    this.#released = end
  }

  #slice(start: number, end: number): string {
    return this.#buffer.slice(start - this.#base, end - this.#base)
  }

  #drain(): InspectedChunk {
    const chunk = { text: this.#out.join(''), findings: this.#findings, blocked: this.#blocked }
    this.#out = []
    this.#findings = []
    const keep = Math.max(0, Math.min(this.#decided, this.#released) - lookBehind - this.#base)
    this.#buffer = this.#blocked ? '' : this.#buffer.slice(keep)
    this.#base += keep
    return chunk
  }
}

function matchesIn(text: string, from: number, matchers: readonly Matcher[]): Finding[] {
  const found: Finding[] = []
  for (const matcher of matchers) matcher.collect(text, from, found)
  return found
}

const shortestSecret = 16

/** Cheap exclusion of ordinary words: every value holds a digit or an @, or is a long token. */
function mayHoldValue(buffer: string, from: number, to: number): boolean {
  if (to - from >= shortestSecret) return true
  for (let i = from; i < to; i += 1) {
    const code = buffer.charCodeAt(i)
    if (code === 64 || (code >= 48 && code <= 57)) return true
  }
  return false
}

/** Length without a surrogate whose partner has not arrived: alone it would become U+FFFD once encoded. */
const wholePairs = (text: string, end: number): number => {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}
