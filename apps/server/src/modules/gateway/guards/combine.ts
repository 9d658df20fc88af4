/**
 * Combines the verdicts of all guards into one judgement. Pure, and the same for the same verdicts. Tested in
 * combine.test.ts.
 */
import type { Verdict } from '../ports/call-guards.ts'
import type { Judged } from './ask.ts'

export interface Said extends Omit<Verdict, 'redactions'> {
  readonly guard: string
  /** Number of spans to remove. */
  readonly redacts: number
}

/** A piece of a text to be replaced, with the rule whose span begins first. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly rule: string
}

export interface Judgement {
  /** A failure blocks as well, but is not a verdict on the call. */
  readonly decision: 'allow' | 'flag' | 'redact' | 'block'
  readonly said: readonly Said[]
  readonly failed: readonly { readonly guard: string; readonly failure: unknown }[]
  /** By location, in the order of the text, without overlaps. */
  readonly cuts: ReadonlyMap<string, readonly Cut[]>
}

/** Strictest wins: a block or a failed guard, then a redaction, then a flag. */
export function combine(judged: readonly Judged[]): Judgement {
  const said: Said[] = []
  const failed: { guard: string; failure: unknown }[] = []
  const spans = new Map<string, Cut[]>()
  for (const one of judged) {
    if ('failure' in one) failed.push(one)
    else
      for (const { redactions = [], ...verdict } of one.verdicts) {
        said.push({ guard: one.guard, redacts: redactions.length, ...verdict })
        for (const { location, start, end } of redactions)
          spans.set(location, [...(spans.get(location) ?? []), { start, end, rule: verdict.rule }])
      }
  }
  const cuts = new Map([...spans].map(([location, found]) => [location, disjoint(found)]))
  return { decision: decisionOf(said, failed.length > 0, cuts.size > 0), said, failed, cuts }
}

function decisionOf(said: readonly Said[], isFailed: boolean, isCut: boolean): Judgement['decision'] {
  if (isFailed || said.some(({ decision }) => decision === 'block')) return 'block'
  if (isCut) return 'redact'
  return said.length > 0 ? 'flag' : 'allow'
}

/** Merges overlapping spans. */
function disjoint(spans: readonly Cut[]): readonly Cut[] {
  const cuts: Cut[] = []
  // The sort is stable, so of equal spans the first guard's rule is used.
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = cuts.at(-1)
    if (last === undefined || span.start >= last.end) cuts.push(span)
    else if (span.end > last.end) cuts[cuts.length - 1] = { ...last, end: span.end }
  }
  return cuts
}

export const noticeFor = ({ rule }: Pick<Cut, 'rule'>): string => `[removed: ${rule}]`

/** The text without the cut parts. */
export function withoutCuts(text: string, cuts: readonly Cut[]): string {
  let left = ''
  let done = 0
  for (const cut of cuts) {
    left += text.slice(done, cut.start) + noticeFor(cut)
    done = cut.end
  }
  return left + text.slice(done)
}
