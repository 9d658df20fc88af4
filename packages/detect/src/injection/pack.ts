import { type Automaton, createAutomaton } from '../text/automaton.ts'
import { normalize } from '../text/normalize.ts'
import type { Rule } from './rule.ts'
import { delimiterRules } from './rules-delimiters.ts'
import { englishRules } from './rules-english.ts'
import { languageRules } from './rules-languages.ts'
import { situationRules } from './rules-situations.ts'

export interface RuleHit {
  readonly rule: Rule
  /** Range in the normalized text. */
  readonly start: number
  readonly end: number
}

export interface RulePack {
  readonly version: string
  readonly rules: readonly Rule[]
  /** Every place where a rule holds; `complete` is false when a text triggers more windows than are looked at. */
  match(normalized: string): { hits: RuleHit[]; complete: boolean }
}

// A megabyte of ordinary prose triggers a few thousand windows; a flood would make time grow with rules times text.
const windowsPerRule = 1_024
const windowsPerScan = 12_288

/** Compiles rules: one automaton over all triggers, each pattern only where one of its triggers occurs. */
export function createPack(version: string, rules: readonly Rule[]): RulePack {
  const words = [...new Set(rules.flatMap((rule) => rule.triggers))]
  const rulesByWord = words.map((word) => rules.filter((rule) => rule.triggers.includes(word)))
  const automaton: Automaton = createAutomaton(words)

  return {
    version,
    rules,
    match: (normalized) => {
      const hits: RuleHit[] = []
      const looked = new Map<Rule, { windows: number; until: number }>()
      let windows = 0
      let complete = true
      automaton.scan(normalized, (word, end) => {
        for (const rule of rulesByWord[word] ?? []) {
          const state = looked.get(rule) ?? { windows: 0, until: 0 }
          looked.set(rule, state)
          if (end <= state.until) continue
          if (state.windows >= windowsPerRule || windows >= windowsPerScan) complete = false
          else {
            state.windows += 1
            windows += 1
            const hit = tryRule(normalized, rule, end - (words[word]?.length ?? 0))
            if (hit) {
              hits.push(hit)
              state.until = hit.end
            }
          }
        }
        return windows < windowsPerScan
      })
      return { hits, complete }
    },
  }
}

function tryRule(text: string, rule: Rule, trigger: number): RuleHit | undefined {
  const from = Math.max(0, trigger - (rule.window >> 1))
  const match = rule.pattern.exec(text.slice(from, from + Math.min(256, rule.window + (rule.window >> 1))))
  return match ? { rule, start: from + match.index, end: from + match.index + match[0].length } : undefined
}

/** Sentences that say which of the rules' own examples do not hold; empty for a sound pack. */
export function packFaults({ rules, match }: RulePack): string[] {
  const holds = (rule: Rule, text: string): boolean => match(normalize(text).text).hits.some((hit) => hit.rule === rule)
  return rules.flatMap((rule) => [
    ...rule.tests.hit.filter((text) => !holds(rule, text)).map((text) => `${rule.id} misses: ${text}`),
    ...rule.tests.miss.filter((text) => holds(rule, text)).map((text) => `${rule.id} wrongly hits: ${text}`),
  ])
}

let shipped: RulePack | undefined

/** The pack that ships, compiled at first use. */
export function defaultPack(): RulePack {
  shipped ??= createPack('2026.11.1', [...englishRules, ...situationRules, ...delimiterRules, ...languageRules])
  return shipped
}
