/** Labels of one asset: evidence proposes, people decide, and a decision stays until the evidence changes. Tested in labels.test.ts. */
import type { AssetRow, Label } from '../declared/asset-schema.ts'
import { type Level, levelOf, levels } from '../taxonomy/taxonomy.ts'

export interface Evidence {
  readonly category: string
  readonly confidence: number
}

/**
 * Labels after a scan. Labels that a person rejected or confirmed stay; a label without evidence is removed where no
 * person decided it.
 * @param confirmFrom confidence from which a new label is confirmed
 */
export function withEvidence(
  labels: readonly Label[],
  evidence: readonly Evidence[],
  confirmFrom: number,
): readonly Label[] {
  const seen = new Map(evidence.map((one) => [one.category, one]))
  const decided = labels.filter(({ decided_by: by, origin }) => by !== null || origin === 'manual')
  const kept = new Set(decided.map(({ category }) => category))
  const fresh = [...seen.values()]
    .filter(({ category }) => !kept.has(category))
    .map(
      ({ category, confidence }): Label => ({
        ...{ category, origin: 'detected', state: confidence >= confirmFrom ? 'confirmed' : 'proposed', confidence },
        ...{ decided_by: null, decided_at: null, reason: null },
      }),
    )
  const refreshed = decided.map((label) => ({
    ...label,
    confidence: seen.get(label.category)?.confidence ?? label.confidence,
  }))
  return [...refreshed, ...fresh].toSorted((a, b) => (a.category < b.category ? -1 : 1))
}

export interface Decision {
  readonly category: string
  readonly state: Label['state']
  readonly reason: string | null
  readonly by: string
  readonly at: string
}

export function withDecisions(labels: readonly Label[], decisions: readonly Decision[]): readonly Label[] {
  const byCategory = new Map(labels.map((label) => [label.category, label]))
  for (const { category, state, reason, by, at } of decisions) {
    const known = byCategory.get(category)
    byCategory.set(category, {
      ...{ category, origin: known?.origin ?? 'manual', state, confidence: known?.confidence ?? null },
      ...{ decided_by: by, decided_at: at, reason },
    })
  }
  return [...byCategory.values()].toSorted((a, b) => (a.category < b.category ? -1 : 1))
}

/** Level and categories that count: of confirmed labels, and not below a level that a person set. */
export function effective(labels: readonly Label[], levelSet: Level | null): Pick<AssetRow, 'level' | 'categories'> {
  const categories = labels.filter(({ state }) => state === 'confirmed').map(({ category }) => category)
  const ranks = [levelSet, levelOf(categories)].flatMap((level) => (level === null ? [] : [levels.indexOf(level)]))
  return { categories, level: ranks.length === 0 ? null : (levels[Math.max(...ranks)] ?? null) }
}
