/**
 * Policies of which some come before others. Promises that priority loosens nothing: the strictest word counts as in a
 * merge without it, and the higher one decides only where no word is stricter than another. The result does not depend on
 * the order in which policies are given. Tested in priority.test.ts.
 */
import type { PolicyDocument } from './document.ts'
import { type EffectivePolicy, mergeStrictest } from './merge.ts'
import { bracketPairs } from './sections/entities.ts'

interface Ranked {
  readonly document: PolicyDocument
  /** 0 when absent. */
  readonly priority?: number
}

/** @throws RangeError for an empty list */
export function mergeByPriority(policies: readonly Ranked[]): EffectivePolicy {
  const merged = mergeStrictest(policies.map(({ document }) => document))
  const ranks = ranksOf(policies)
  return ranks.length < 2 ? merged : decided(merged, ranks)
}

/**
 * The policy of each priority by itself, the highest first. Policies that are off are ignored when there are others.
 */
function ranksOf(policies: readonly Ranked[]): readonly EffectivePolicy[] {
  const speaking = policies.filter(({ document }) => document.mode !== 'off')
  const all = speaking.length > 0 ? speaking : policies
  const priorities = [...new Set(all.map(({ priority = 0 }) => priority))].sort((a, b) => b - a)
  return priorities.map((wanted) =>
    mergeStrictest(all.flatMap(({ document, priority = 0 }) => (priority === wanted ? [document] : []))),
  )
}

function decided(merged: EffectivePolicy, ranks: readonly EffectivePolicy[]): EffectivePolicy {
  const [usual] = bracketPairs
  const { system_prompt: prompt } = merged.content
  const texts = (of: 'prepend' | 'append'): readonly string[] => [
    ...new Set(ranks.flatMap(({ content }) => content.system_prompt[of])),
  ]
  return {
    ...merged,
    models: { ...merged.models, default: first(ranks, ({ models }) => models.default) },
    sensitive_data: {
      ...merged.sensitive_data,
      brackets: first(ranks, ({ sensitive_data: { brackets } }) => (brackets === usual ? null : brackets)) ?? usual,
    },
    content: { ...merged.content, system_prompt: { ...prompt, prepend: texts('prepend'), append: texts('append') } },
    reporting: { ...merged.reporting, block_message: first(ranks, ({ reporting }) => reporting.block_message) },
  }
}

function first<T>(ranks: readonly EffectivePolicy[], read: (rank: EffectivePolicy) => T | null): T | null {
  for (const rank of ranks) {
    const said = read(rank)
    if (said !== null) return said
  }
  return null
}
