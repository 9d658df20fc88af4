/**
 * Removes a policy's denied content from the texts of a call. The notice is the same for every caller, so that equal
 * calls stay equal, and a text with more matches than are searched for is removed completely. Tested in
 * denied-redaction.test.ts.
 */
import type { CanonicalCall } from '../call/call.ts'
import { withSignatures } from '../call/texts/signed-thoughts.ts'
import { mapTexts, textsOf } from '../call/texts/texts.ts'
import type { PatternFinder } from '../detection/finders.ts'
import type { KnownFindings } from '../detection/memory/known-findings.ts'
import { everyMatch, type Span } from '../detection/tenant-patterns.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { type TextRule, viewsOf } from '../policy/compile.ts'
import type { Side } from '../words/policy-words.ts'
import type { PatternSearch } from './pattern-search.ts'

/** Replacement for the text. It needs no escape in JSON. */
export const noticeOf = ({ id }: Pick<TextRule, 'id'>): string => `[removed: ${id}]`

export function redactingRules(rules: readonly TextRule[], side: Side): readonly TextRule[] {
  return rules.filter(({ action, on }) => action === 'redact' && on.includes(side))
}

/** The finder for rules that remove text from a call. */
export function findersFor(
  analyses: PatternSearch,
  state: WithPlan,
  { call, rules }: { readonly call: CanonicalCall; readonly rules: readonly TextRule[] },
): PatternFinder | Promise<PatternFinder> {
  const patterns = rules.flatMap(({ pattern }) => pattern ?? [])
  if (patterns.length === 0) return everyMatch
  const texts = textsOf(call).map(({ text }) => text)
  return analyses.everyPattern(state, patterns, texts)
}

export interface Taken {
  readonly rule: string
  readonly location: string
  readonly count: number
  /** The match is in a name, which cannot be replaced, and is still there. */
  readonly inName: boolean
}

export interface DeniedSearch {
  readonly rules: readonly TextRule[]
  readonly find: PatternFinder
  /** Known findings of the call; null if there are none. */
  readonly known: KnownFindings | null
}

/** The call without the rules' matches, and the matches. */
export function withoutDenied(
  call: CanonicalCall,
  search: DeniedSearch,
): { readonly call: CanonicalCall; readonly taken: readonly Taken[] } {
  const taken: Taken[] = []
  const { rules } = search
  if (rules.length === 0) return { call, taken }
  const shown = mapTexts(call, ({ text, location, isName }) => {
    const found = matchesOf(text, search)
    const inName = isName === true
    for (const rule of rules) {
      const count = found.filter((one) => one.rule === rule).length
      if (count > 0) taken.push({ rule: rule.id, location, count, inName })
    }
    return inName ? text : replaced(text, found)
  })
  return { call: taken.length === 0 ? call : withSignatures(shown, call), taken }
}

/** The same for one text. */
export function withoutDeniedText(text: string, rules: readonly TextRule[]): string {
  return rules.length === 0 ? text : replaced(text, matchesOf(text, { rules, find: everyMatch, known: null }))
}

interface Match extends Span {
  readonly rule: TextRule
}

function matchesOf(text: string, { rules, find, known }: DeniedSearch): readonly Match[] {
  const spans = spansIn(text, { find, known })
  return rules.flatMap((rule) => spans(rule).map((span) => ({ ...span, rule })))
}

/** Positions of the rules' matches in a text; matches of terms are known for texts that were already inspected. */
export function spansIn(
  text: string,
  { find, known }: Omit<DeniedSearch, 'rules'>,
): (rule: TextRule) => readonly Span[] {
  const views = viewsOf(text)
  return (rule) => {
    const look = (): readonly Span[] => rule.find(views, find)
    return known === null || rule.pattern !== null ? look() : known.find({ name: rule.name, find: look }, text)
  }
}

/** Of overlapping matches the first one determines the notice. */
function replaced(text: string, found: readonly Match[]): string {
  const parts: string[] = []
  let done = 0
  for (const { start, end, rule } of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= done) parts.push(text.slice(done, start), noticeOf(rule))
    done = Math.max(done, end)
  }
  return done === 0 ? text : [...parts, text.slice(done)].join('')
}
