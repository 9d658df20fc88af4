/**
 * Redacts a text that arrives in pieces so that it can be restored.
 * Promises the output that `redact` gives for the whole text, for every way of cutting it; a text that `searchPii` gives
 * up is looked at to its end. Tested in redact-stream.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import { defaultMinScore } from '../pii/find-pii.ts'
import { type RedactOptions, replacer } from '../redaction/redact.ts'
import { createTypedNames, typedMatcher } from '../redaction/typed.ts'
import { createVault, type Vault } from '../redaction/vault.ts'
import { matchersOf, type StreamDetector } from './inspect.ts'
import { beforeHalfPair, type Decided, SettlingText } from './settling.ts'

/** The style `synthetic` needs the whole text and has no stream. */
export type StreamStyle =
  | Extract<RedactOptions, { style: 'hash' }>
  | { readonly style?: 'placeholder' | 'mask' | 'drop' }

export interface RedactStreamOptions {
  /** Default both. */
  readonly detectors?: readonly StreamDetector[]
  /** Keeps the values; share it between all texts of a call. A fresh one when absent. */
  readonly vault?: Vault
  /** How values are written. Default placeholders. */
  readonly style?: StreamStyle
  /** Findings below this score are ignored. Default 0.5. */
  readonly minScore?: number
  /** Types of personal data to look for, as in `findPii`; all when absent. */
  readonly types?: readonly string[]
  /** Whether a finding is redacted; must depend on the finding alone. Default all. */
  readonly accepts?: (finding: Finding) => boolean
}

export interface RedactedChunk {
  /** Text that may leave now. */
  readonly text: string
  /** Findings decided by this chunk; positions count from the beginning of the stream, before redaction. */
  readonly findings: readonly Finding[]
}

export interface RedactStream {
  push(chunk: string): RedactedChunk
  end(): RedactedChunk
}

/** A stream of redacted text; holds back what `createInspectStream` holds back. */
export function createRedactStream(options: RedactStreamOptions = {}): RedactStream {
  const { detectors = ['pii', 'secret'], vault = createVault(), style = {}, minScore = defaultMinScore } = options
  const { accepts = () => true, types } = options
  const matchers = [...matchersOf(detectors, types), typedMatcher(vault)]
  const text = new SettlingText({ matchers, minScore, accepts, types, opening: vault.brackets.open.charAt(0) })
  const replace = replacer(vault, style)
  const typed = createTypedNames(vault)
  let released = 0

  const releaseTo = (end: number): string => {
    if (end <= released) return ''
    const piece = text.slice(released, end)
    released = end
    typed.push(piece)
    return piece
  }
  const replaced = (finding: Finding): string => {
    const before = releaseTo(finding.start)
    typed.break()
    released = finding.end
    return before + replace(finding, text.slice(finding.start, finding.end))
  }
  const take = ({ findings, upTo }: Decided, isLast: boolean): RedactedChunk => {
    const parts = findings.map(replaced)
    parts.push(releaseTo(isLast ? upTo : beforeHalfPair(text, upTo)))
    if (isLast) typed.break()
    text.drop(released)
    return { text: parts.join(''), findings: findings.filter(({ type }) => type !== 'LITERAL') }
  }
  return {
    push: (chunk) => take(text.push(chunk), false),
    end: () => take(text.end(), true),
  }
}
