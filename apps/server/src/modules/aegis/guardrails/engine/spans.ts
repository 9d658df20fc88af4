import type { Redaction } from './combine.ts'

/** In the order of the text; spans that overlap become one, by the rule of the one that begins first. */
export function disjoint(spans: readonly Redaction[]): readonly Redaction[] {
  const left: Redaction[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end || (a.rule < b.rule ? -1 : 1))) {
    const last = left.at(-1)
    if (last === undefined || span.start >= last.end) left.push(span)
    else if (span.end > last.end) left[left.length - 1] = { ...last, end: span.end }
  }
  return left
}
