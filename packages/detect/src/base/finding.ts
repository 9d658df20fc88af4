/**
 * The one result type of every detector, and the one rule for overlaps.
 * Promises positions in the original text (UTF-16) and never carries the matched value; does not rank detectors.
 * Tested in finding.test.ts and, through the streams, in stream/inspect.test.ts.
 */
export type Detector = 'injection' | 'pii' | 'secret' | 'output'

export interface Finding {
  readonly detector: Detector
  readonly type: string
  /** UTF-16 offset in the original text, inclusive. */
  readonly start: number
  /** UTF-16 offset in the original text, exclusive. */
  readonly end: number
  /** Confidence, 0..1. */
  readonly score: number
  readonly rule?: string
  /** ISO 3166-1 alpha-2, for values that belong to a country. */
  readonly country?: string
  /** How hidden text was reached, outermost first, for example `['base64', 'hex']`. */
  readonly via?: readonly string[]
  /** At most 80 characters for a person to read; secrets and personal data are masked. */
  readonly evidence?: string
}

/** Source of a text: its possible authors decide how an instruction in it is judged. */
export type Channel = 'user' | 'system' | 'document' | 'tool_result' | 'tool_description' | 'memory' | 'model_output'

/** Text order; of findings that start together the longer, then the surer, comes first. */
export function byPosition(a: Finding, b: Finding): number {
  return a.start - b.start || b.end - a.end || b.score - a.score || (a.type < b.type ? -1 : Number(a.type > b.type))
}

/**
 * Makes findings disjoint in text order: a later finding gives up what an earlier one already covers and disappears
 * when nothing is left. Trimming instead of dropping keeps the covered text the same, so redaction cannot leak the
 * far end of an overlap, and the outcome for a prefix never depends on the text after it.
 */
export function disjoint(findings: readonly Finding[], floor = 0): Finding[] {
  const kept: Finding[] = []
  let covered = floor
  for (const finding of [...findings].sort(byPosition)) {
    if (finding.end <= covered) continue
    kept.push(finding.start < covered ? { ...finding, start: covered } : finding)
    covered = finding.end
  }
  return kept
}
