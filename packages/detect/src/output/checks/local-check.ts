/**
 * Input of a check of one place in a text. Every finding of a local check depends only on the 128 UTF-16 units
 * before its start and the 320 from its start on; streams rely on it. Tested through output-stream.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { evidenceOf, type OutputType } from './rules.ts'

/** UTF-16 units before a finding that decide about it. */
export const localBehind = 128

/** UTF-16 units from a finding's start on that decide about it. */
export const localReach = 320

/** Adds what it finds to `found`, in any order. */
export type LocalCheck = (text: string, found: Finding[]) => void

interface Place {
  readonly type: OutputType
  readonly rule: string
  readonly start: number
  readonly end: number
  readonly score: number
}

/** A finding whose evidence is the text itself. */
export const findingAt = (text: string, { type, rule, start, end, score }: Place): Finding => ({
  detector: 'output',
  type,
  start,
  end,
  score,
  rule,
  evidence: evidenceOf(text.slice(start, Math.min(end, start + 160))),
})
