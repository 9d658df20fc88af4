/** Form of a shipped rule, and short ways to write what most of them share. */

import type { Severity } from '../../alerts/declared/words.ts'
import type { Correlation, Definition, Source } from '../declared/schema.ts'
import type { Category, RuleType } from '../declared/words.ts'

export interface PackRule {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly category: Category
  readonly level: Severity
  readonly tags: readonly string[]
  readonly definition: Definition
}

type Detection = NonNullable<Source['detection']>

interface Written extends Omit<PackRule, 'definition'> {
  readonly type?: RuleType
  /** One detection, or several by name, in their order. */
  readonly detect: Detection | readonly (readonly [name: string, detection: Detection])[]
  readonly groupBy?: readonly string[]
  readonly seconds?: number
  readonly threshold?: number
  readonly field?: string
  readonly correlation?: Pick<Correlation, 'type'> & Partial<Correlation>
}

/** A rule in the native form. */
export function packRule(written: Written): PackRule {
  const { type = 'match', detect, groupBy = [], seconds, threshold, field, correlation, ...about } = written
  const named = isNamed(detect) ? detect : ([['event', detect]] as const)
  return {
    ...about,
    definition: {
      type,
      sources: named.map(([name, detection]) => ({ name, category: about.category, condition: null, detection })),
      group_by: [...groupBy],
      window_seconds: seconds ?? null,
      threshold: threshold ?? null,
      field: field ?? null,
      correlation:
        correlation === undefined ? null : { field: null, percentile: null, bounds: {}, aliases: {}, ...correlation },
    },
  }
}

const isNamed = (detect: Written['detect']): detect is readonly (readonly [name: string, detection: Detection])[] =>
  Array.isArray(detect)

/** Events of one channel with these fields. */
export const on = (channel: string, fields: Readonly<Record<string, unknown>> = {}): Detection => ({
  selection: { channel, ...fields },
  condition: 'selection',
})
