import { normalize } from '../../text/normalize/normalize.ts'
import { createRuleEngine } from './engine.ts'
import type { Rule } from './rule.ts'

/** Sentences that say which of the rules' own examples do not hold; empty for sound rules. */
export function ruleFaults(rules: readonly Rule[]): string[] {
  const engine = createRuleEngine(rules)
  const holds = (rule: Rule, text: string): boolean =>
    engine.match(normalize(text).text, rule.channels?.[0] ?? 'user').hits.some((hit) => hit.rule === rule)
  return rules.flatMap((rule) => [
    ...rule.tests.hit.filter((text) => !holds(rule, text)).map((text) => `${rule.id} misses: ${text}`),
    ...rule.tests.miss.filter((text) => holds(rule, text)).map((text) => `${rule.id} wrongly hits: ${text}`),
  ])
}
