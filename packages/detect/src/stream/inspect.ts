/**
 * Looks for secrets and personal data in a text that arrives in pieces.
 * Promises that output, findings and the place of a block are the same for every way of cutting the text, and that
 * nothing is released that a redact or block rule matches; it does not put values back. Tested in inspect.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { defaultMinScore, piiMatchersOf } from '../pii/find-pii.ts'
import { createVault, type Vault } from '../redaction/vault.ts'
import { secretMatchers } from '../secrets/find-secrets.ts'
import { beforeHalfPair, type Decided, type MinScore, SettlingText } from './settling.ts'

/** `ignore` leaves the text as it is, and the finding is not reported. */
export type InspectAction = 'redact' | 'block' | 'flag' | 'ignore'
export type StreamDetector = 'secret' | 'pii'

export interface InspectOptions {
  readonly detectors: readonly StreamDetector[]
  /** Action for a finding; must depend on the finding and the text it stands for alone. */
  readonly onMatch: (finding: Finding, value: string) => InspectAction
  /** Numbers the `OUT_TYPE_n` placeholders; share it between the streams of one call. A fresh one when absent. */
  readonly vault?: Vault
  /** Findings below this score are ignored; a function says it for each kind of finding. Default 0.5. */
  readonly minScore?: MinScore
  /** Types of personal data to look for, as in `findPii`; all when absent. */
  readonly types?: readonly string[]
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
  /** As `push` and `end` in one with the same result and much less work, for a text that is all there. */
  whole(text: string): InspectedChunk
  /** Input not yet released, unchanged; nothing after a block. For callers that continue without a failed stream. */
  held(): string
}

/**
 * A stream filter. With names or addresses among the types the last 240 to 304 characters are held back, because an
 * address or a name with its context is that long; else the last word or two, and up to 240 characters after a number
 * or another mark with which a value may begin. More only where what there is to judge stands closer than in
 * any prose or table (at most 2,048 characters more), while a long token or a private key is open (at most 10,500
 * characters) or while values overlap each other without end (at most 16,384 more). All bounds hold for hostile input.
 */
export function createInspectStream(options: InspectOptions): InspectStream {
  return new Inspector(options)
}

/** The matchers of detectors, of personal data only those that find one of the types. */
export const matchersOf = (detectors: readonly StreamDetector[], types?: readonly string[]): readonly Matcher[] => [
  ...(detectors.includes('pii') ? piiMatchersOf(types) : []),
  ...(detectors.includes('secret') ? secretMatchers : []),
]

class Inspector implements InspectStream {
  readonly #onMatch: InspectOptions['onMatch']
  readonly #vault: Vault
  readonly #text: SettlingText
  #released = 0
  #ended = false
  #blocked: Finding | undefined
  #out: string[] = []
  #findings: Finding[] = []

  constructor({ detectors, onMatch, types, vault = createVault(), minScore = defaultMinScore }: InspectOptions) {
    this.#onMatch = onMatch
    this.#vault = vault
    this.#text = new SettlingText({ matchers: matchersOf(detectors, types), minScore, types })
  }

  push(chunk: string): InspectedChunk {
    if (!this.#blocked && !this.#ended) this.#apply(this.#text.push(chunk), false)
    return this.#drain()
  }

  end(): InspectedChunk {
    if (!this.#blocked && !this.#ended) this.#apply(this.#text.end(), true)
    this.#ended = true
    return this.#drain()
  }

  whole(text: string): InspectedChunk {
    if (this.#blocked || this.#ended) return this.#drain()
    this.#apply(this.#text.whole(text), true)
    this.#ended = true
    return this.#drain()
  }

  held(): string {
    if (this.#blocked) return ''
    return `${this.#out.join('')}${this.#text.from(this.#released)}`
  }

  #apply({ findings, upTo }: Decided, isLast: boolean): void {
    for (const finding of findings) {
      this.#act(finding)
      if (this.#blocked) return
    }
    this.#release(isLast ? upTo : beforeHalfPair(this.#text, upTo))
    this.#text.drop(this.#released)
  }

  #act(finding: Finding): void {
    const value = this.#text.slice(finding.start, finding.end)
    const action = this.#onMatch(finding, value)
    if (action === 'ignore') return
    this.#findings.push(finding)
    this.#release(finding.start)
    if (action === 'block') this.#blocked = finding
    else if (action === 'flag') this.#release(finding.end)
    else {
      this.#out.push(this.#vault.outPlaceholderFor(finding.type, value))
      this.#released = finding.end
    }
  }

  #release(end: number): void {
    if (end <= this.#released) return
    this.#out.push(this.#text.slice(this.#released, end))
    this.#released = end
  }

  #drain(): InspectedChunk {
    const chunk = { text: this.#out.join(''), findings: this.#findings, blocked: this.#blocked }
    this.#out = []
    this.#findings = []
    return chunk
  }
}
