/**
 * The policy's terms and patterns in the texts of a call: each text by itself, what stands across their borders, and what
 * is taken out. Tested in policy-content.test.ts and denied-redaction.test.ts.
 */
import { normalize } from '@parapet/detect'
import { type Analyses, awaitedLater, type PatternFinder } from '../../detection/analyses.ts'
import type { TextRule } from '../../policy/compile.ts'
import type { CallState } from '../call-state.ts'
import { deniedAcross, runsAcross } from '../denied-across.ts'
import { findersFor, redactingRules, withoutDenied } from '../denied-texts.ts'

export interface Broken {
  readonly rule: string
  readonly action: 'flag' | 'redact' | 'block'
  readonly location: string
  readonly count: number
  /** What its author wants said. */
  readonly message?: string | null
}

export interface Finders {
  /** In the texts as they were sent. */
  readonly find: PatternFinder
  /** In the call as it is, to take it out. */
  readonly every: PatternFinder
  /** In what stands around the borders of its texts. */
  readonly across: PatternFinder
}

export function findersOf(state: CallState, analyses: Analyses): Finders | Promise<Finders> {
  const find = analyses.patterns(state)
  const every = findersFor(analyses, redactingRules(state.policy.rules, 'input'), state.call)
  const across = acrossFinder(state, analyses)
  if (!(find instanceof Promise) && !(every instanceof Promise) && !(across instanceof Promise))
    return { find, every, across }
  const all = Promise.all([find, every, across])
  return awaitedLater(all.then((found) => ({ find: found[0], every: found[1], across: found[2] })))
}

function acrossFinder(state: CallState, analyses: Analyses): PatternFinder | Promise<PatternFinder> {
  const rules = inputRules(state)
  const patterns = rules.flatMap(({ pattern }) => pattern ?? [])
  const texts = runsAcross(state.call, rules).flatMap(({ windows }) => windows.map(({ text }) => text))
  return analyses.everyPattern(patterns, texts)
}

const inputRules = ({ policy }: CallState): readonly TextRule[] => policy.rules.filter(({ on }) => on.includes('input'))

/** All that is broken; what is taken out is out of the call afterwards. */
export function deniedTexts(state: CallState, analyses: Analyses, { find, every, across }: Finders): readonly Broken[] {
  // In this order: the borders are those of the texts as they still are.
  return [...textRules(state, analyses, find), ...acrossRules(state, across), ...takeOut(state, every)]
}

function textRules(state: CallState, analyses: Analyses, find: PatternFinder): readonly Broken[] {
  const rules = inputRules(state).filter(({ action }) => action !== 'redact')
  if (rules.length === 0) return []
  return analyses.texts(state).flatMap(({ text, location }) => {
    const views = { original: text, normalized: normalize(text) }
    return rules.flatMap((rule) => {
      const { length: count } = rule.find(views, find)
      return count > 0 ? [{ rule: rule.id, action: rule.action, location, count }] : []
    })
  })
}

/** What a message says across its parts; what would be taken out of one text is refused there. */
function acrossRules(state: CallState, find: PatternFinder): readonly Broken[] {
  const rules = inputRules(state)
  return deniedAcross(runsAcross(state.call, rules), rules, find).map(({ rule: { id, action }, location }) => ({
    ...{ rule: id, location, count: 1 },
    action: action === 'redact' ? 'block' : action,
  }))
}

/** What is kept of the call goes without it too; what stands in a name is refused instead. */
function takeOut(state: CallState, every: PatternFinder): readonly Broken[] {
  const rules = redactingRules(state.policy.rules, 'input')
  if (rules.length === 0) return []
  const { call, taken } = withoutDenied(state.call, rules, every)
  if (state.keepable !== null)
    state.keepable = state.keepable === state.call ? call : withoutDenied(state.keepable, rules, every).call
  state.call = call
  state.redacted ||= taken.some(({ inName }) => !inName)
  return taken.map(({ inName, ...one }) => ({ ...one, action: inName ? 'block' : 'redact' }))
}
