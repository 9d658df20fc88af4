/**
 * Patterns written by tenants, compiled once per thread and run with linear time. Promises that a pattern that no longer
 * compiles fails the step that needs it and nothing else. Tested in injection-rules.test.ts.
 */
import { type CustomerPattern, compilePattern } from '@parapet/detect'

export interface Span {
  readonly start: number
  readonly end: number
}

/** Compiled patterns held at once in a thread; each is some kilobytes. */
const mostHeld = 2_000
const held = new Map<string, CustomerPattern>()

/** @throws Error when the engine does not take it; a stored document holds only such that it takes */
export function tenantPattern(source: string): CustomerPattern {
  const known = held.get(source)
  if (known !== undefined) return known
  const compiled = compilePattern(source)
  if (!compiled.ok) throw new Error(`A pattern of a policy cannot be used. ${compiled.reason}`)
  if (held.size >= mostHeld) held.clear()
  held.set(source, compiled.pattern)
  return compiled.pattern
}

/** Matches counted in one text; one is enough to act. */
export const mostMatches = 100

export function matchesIn(text: string, source: string): readonly Span[] {
  return tenantPattern(source).findAll(text, mostMatches).matches
}

/** For taking out: where a text has more matches than the engine looks for, its rest counts as one. */
export function everyMatch(text: string, source: string): readonly Span[] {
  const { matches, complete } = tenantPattern(source).findAll(text, Number.MAX_SAFE_INTEGER)
  const found = matches.filter(({ start, end }) => end > start)
  return complete ? found : [...found, { start: matches.at(-1)?.end ?? 0, end: text.length }]
}
