/**
 * Patterns written by tenants, compiled once per thread and run in linear time. A pattern that no longer compiles fails
 * only the step that needs it. Tested in injection-rules.test.ts.
 */
import { type CustomerPattern, compilePattern } from '@parapet/detect'

export interface Span {
  readonly start: number
  readonly end: number
}

/** Maximum compiled patterns held in a thread; each takes some kilobytes. */
const mostHeld = 2_000
const held = new Map<string, CustomerPattern>()

/** @throws Error if the engine rejects it; stored documents hold only patterns that it accepts */
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

/** For removal: if a text has more matches than the engine searches for, the rest of the text counts as one match. */
export function everyMatch(text: string, source: string): readonly Span[] {
  const { matches, complete } = tenantPattern(source).findAll(text, Number.MAX_SAFE_INTEGER)
  const found = matches.filter(({ start, end }) => end > start)
  return complete ? found : [...found, { start: matches.at(-1)?.end ?? 0, end: text.length }]
}
