/**
 * The policy's terms and patterns in the texts of a call: each text by itself, matches across their borders, and
 * redaction. Tested in policy-content.test.ts and denied-redaction.test.ts.
 */

import type { Writes } from '../../call/writes.ts'
import type { PatternFinder } from '../../detection/finders.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { type Analyses, awaitedLater } from '../../inspection/analyses.ts'
import { deniedAcross, runsAcross } from '../../inspection/denied-across.ts'
import { type DeniedSearch, findersFor, redactingRules, spansIn, withoutDenied } from '../../inspection/denied-texts.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { TextRule } from '../../policy/compile.ts'

export interface Broken {
  readonly rule: string
  readonly action: 'flag' | 'redact' | 'block'
  readonly location: string
  readonly count: number
  /** Message of the rule's author. */
  readonly message?: string | null
}

export interface Finders {
  /** In the texts as they were sent. */
  readonly find: PatternFinder
  /** In the call as it is, to take it out. */
  readonly every: PatternFinder
  /** Finder for the text around the borders of its texts. */
  readonly across: PatternFinder
}

export function findersOf(state: WithPlan, analyses: Analyses): Finders | Promise<Finders> {
  const find = analyses.patterns(state)
  const every = findersFor(analyses, state, {
    call: state.plan.call,
    rules: redactingRules(state.plan.policy.rules, 'input'),
  })
  const across = acrossFinder(state, analyses)
  if (!(find instanceof Promise) && !(every instanceof Promise) && !(across instanceof Promise))
    return { find, every, across }
  const all = Promise.all([find, every, across])
  return awaitedLater(all.then((found) => ({ find: found[0], every: found[1], across: found[2] })))
}

function acrossFinder(state: WithPlan, analyses: Analyses): PatternFinder | Promise<PatternFinder> {
  const rules = inputRules(state)
  const patterns = rules.flatMap(({ pattern }) => pattern ?? [])
  const texts = runsAcross(state.plan.call, rules).flatMap(({ windows }) => windows.map(({ text }) => text))
  return analyses.everyPattern(state, patterns, texts)
}

const inputRules = ({ plan: { policy } }: WithPlan): readonly TextRule[] =>
  policy.rules.filter(({ on }) => on.includes('input'))

/** All violations; redacted texts are out of the call afterwards. */
export function deniedTexts(
  state: WithPlan & WithFindings & Writes<WithPlan & WithFindings>,
  analyses: Analyses,
  { find, every, across }: Finders,
): readonly Broken[] {
  // In this order: the borders are those of the texts as they still are.
  return [
    ...textRules(state, analyses, find),
    ...acrossRules(state, across),
    ...takeOut(state, { find: every, known: analyses.known(state) }),
  ]
}

function textRules(state: WithPlan, analyses: Analyses, find: PatternFinder): readonly Broken[] {
  const rules = inputRules(state).filter(({ action }) => action !== 'redact')
  if (rules.length === 0) return []
  const known = analyses.known(state)
  return analyses.texts(state).flatMap(({ text, location }) => {
    const spans = spansIn(text, { find, known })
    return rules.flatMap((rule) => {
      const { length: count } = spans(rule)
      return count > 0 ? [{ rule: rule.id, action: rule.action, location, count }] : []
    })
  })
}

/** Violations that span the parts of a message; a text that would be redacted within one part is refused here. */
function acrossRules(state: WithPlan, find: PatternFinder): readonly Broken[] {
  const rules = inputRules(state)
  return deniedAcross(runsAcross(state.plan.call, rules), rules, find).map(({ rule: { id, action }, location }) => ({
    ...{ rule: id, location, count: 1 },
    action: action === 'redact' ? 'block' : action,
  }))
}

/** Redacts the kept copy of the call too; a match in a name is refused instead. */
function takeOut(
  state: WithPlan & WithFindings & Writes<WithPlan & WithFindings>,
  found: Pick<DeniedSearch, 'find' | 'known'>,
): readonly Broken[] {
  const rules = redactingRules(state.plan.policy.rules, 'input')
  if (rules.length === 0) return []
  const search = { rules, ...found }
  const { call, taken } = withoutDenied(state.plan.call, search)
  const { keepable } = state.plan
  const kept = keepable === null ? null : keepable === state.plan.call ? call : withoutDenied(keepable, search).call
  state.write({ plan: { keepable: kept, call } })
  state.write({ findings: { redacted: state.findings.redacted || taken.some(({ inName }) => !inName) } })
  return taken.map(({ inName, ...one }) => ({ ...one, action: inName ? 'block' : 'redact' }))
}
