import type { Channel } from '../../base/finding.ts'
import type { Family, SlotRule } from '../rules/rule.ts'

/** A slot rule without what all English rules share. */
export interface EnglishRule {
  readonly id: string
  readonly weight: number
  readonly slots: readonly (readonly string[])[]
  readonly gap?: number
  readonly order?: 'fixed' | 'any'
  readonly channels?: readonly Channel[]
  readonly certain?: boolean
  readonly hit: readonly string[]
  readonly miss: readonly string[]
}

/** Completes English rules of one family; all are guarded. */
export const english = (family: Family, rules: readonly EnglishRule[]): readonly SlotRule[] =>
  rules.map(({ id, hit, miss, ...rule }) => ({
    ...rule,
    id: `en-${id}`,
    family,
    lang: 'en',
    guarded: true,
    tests: { hit, miss },
  }))
