import type { PatternRule, Rule, SlotRule } from './rule.ts'

/** Tells slot grammars from patterns. */
export const isSlotRule = (rule: Rule): rule is SlotRule => 'slots' in rule

export type { PatternRule, Rule, SlotRule }
