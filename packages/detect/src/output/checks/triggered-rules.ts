/**
 * Rules made of literal triggers and a bounded pattern that is tried only at a trigger.
 * Promises one pass over the text for all triggers together. Tested through inspect-output.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { createAutomaton } from '../../text/automaton/automaton.ts'
import { foldCase } from './fold-case.ts'
import { findingAt, type LocalCheck } from './local-check.ts'
import type { OutputType } from './rules.ts'

export interface TriggeredRule {
  readonly rule: string
  readonly type: OutputType
  readonly score: number
  /** Literal beginnings of the pattern, in lower case. */
  readonly triggers: readonly string[]
  /** Sticky; bounded repeats; at most 256 characters. */
  readonly pattern: RegExp
  /** Literals of which the pattern holds one, exact in case: without any near, the pattern is not tried. */
  readonly needs?: readonly string[]
  /** Pattern required in the 64 characters of the same line before the trigger; tried as a search. */
  readonly before?: RegExp
  /** Pattern that excludes a match containing it. */
  readonly except?: RegExp
}

const maxBefore = 64

/** Compiles rules to one check. */
export function compileRules(rules: readonly TriggeredRule[]): LocalCheck {
  const triggers = rules.flatMap((rule) => rule.triggers.map((word) => ({ word, rule })))
  const automaton = createAutomaton(triggers.map(({ word }) => word))
  return (text, found) => {
    const nextOf = createMarks(text)
    automaton.scan(foldCase(text), (index, end) => {
      const trigger = triggers[index]
      const start = end - (trigger?.word.length ?? 0)
      if (trigger && mayMatch(trigger.rule, start, nextOf)) tryRule(text, start, { rule: trigger.rule, found })
      return true
    })
  }
}

/** Longest match, so how far a needed literal may be. */
const maxMatch = 256

const mayMatch = ({ needs }: TriggeredRule, start: number, nextOf: (mark: string, at: number) => number): boolean =>
  needs === undefined || needs.some((mark) => nextOf(mark, start) - start < maxMatch)

/** First place of a mark at or after a place, or infinity; the text is read once for each mark. */
function createMarks(text: string): (mark: string, at: number) => number {
  const known = new Map<string, { from: number; to: number }>()
  return (mark, at) => {
    const last = known.get(mark)
    if (last && at >= last.from && at <= last.to) return last.to
    // Longer triggers end later but begin earlier: a look back over their length only.
    if (last && at < last.from) {
      const before = text.slice(at, last.from + mark.length - 1).indexOf(mark)
      return before < 0 ? last.to : at + before
    }
    const index = text.indexOf(mark, at)
    const to = index < 0 ? Number.POSITIVE_INFINITY : index
    known.set(mark, { from: at, to })
    return to
  }
}

/** All triggers, for streams: a finding of these rules begins at one of them. */
export const triggersOf = (rules: readonly TriggeredRule[]): string[] => rules.flatMap(({ triggers }) => triggers)

function tryRule(text: string, start: number, { rule, found }: { rule: TriggeredRule; found: Finding[] }): void {
  if (isWordUnit(text.charCodeAt(start)) && isWordUnit(text.charCodeAt(start - 1))) return
  if (rule.before && !rule.before.test(lineBefore(text, start))) return
  rule.pattern.lastIndex = start
  const match = rule.pattern.exec(text)
  rule.pattern.lastIndex = 0
  if (!match || rule.except?.test(match[0])) return
  found.push(findingAt(text, { ...rule, start, end: start + match[0].length }))
}

const lineBefore = (text: string, end: number): string => {
  const near = text.slice(Math.max(0, end - maxBefore), end)
  return near.slice(near.lastIndexOf('\n') + 1)
}

const isWordUnit = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
