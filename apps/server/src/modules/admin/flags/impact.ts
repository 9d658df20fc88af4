import type { Attributes } from './engine/constraints.ts'
import { compileFlags, type Segments } from './engine/evaluate.ts'
import type { FlagRow, Impact } from './schemas/flags.ts'

export interface ImpactInput {
  readonly before: FlagRow
  readonly after: FlagRow
  /** All flags of the tenant that are evaluated, for prerequisites. */
  readonly others: Iterable<FlagRow>
  readonly segments: Segments
  readonly contexts: readonly Attributes[]
  readonly nowMs: number
}

/** Recent contexts that would get another variant. Pure, so that it can be computed before anything is changed. */
export function impactOf({ before, after, others, segments, contexts, nowMs }: ImpactInput): Impact {
  const rest = [...others].filter(({ key }) => key !== after.key)
  const was = compileFlags([...rest, before], segments)
  const will = compileFlags([...rest, after], segments)
  const counts = new Map<string, { readonly from: string; readonly to: string; count: number }>()
  for (const context of contexts) {
    const from = was.evaluate(before.key, context, nowMs).variant ?? 'none'
    const to = will.evaluate(after.key, context, nowMs).variant ?? 'none'
    if (from === to) continue
    const move = counts.get(`${from} ${to}`) ?? { from, to, count: 0 }
    move.count += 1
    counts.set(`${from} ${to}`, move)
  }
  const moves = [...counts.values()].toSorted((a, b) => b.count - a.count).slice(0, 200)
  return { sample: contexts.length, changed: moves.reduce((sum, { count }) => sum + count, 0), moves }
}
