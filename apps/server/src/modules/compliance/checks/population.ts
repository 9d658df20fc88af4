/** Items of facts that count their population twice. Tested in run-check.test.ts. */
import type { Evaluation, Item } from './define.ts'
import type { FactData } from './fact-data.ts'

/**
 * Judges each item of a population; null leaves an item out of it. Both counts of the fact are lowered by the items left
 * out, so that a difference between them and a list that was cut stay visible.
 */
export function judgeEach(fact: FactData | undefined, judge: (item: FactData) => Item | null): Evaluation {
  if (fact === undefined) return { items: [] }
  const listed = fact.list('items')
  const items = listed.flatMap((item) => judge(item) ?? [])
  const leftOut = listed.length - items.length
  return { items, population: fact.number('total') - leftOut, recount: fact.number('recount') - leftOut }
}

/** An item that passes where there is no reason against it. */
export const itemOf = (id: string, reason: string | null): Item =>
  reason === null ? { id, passed: true } : { id, passed: false, reason }

export const dayMs = 86_400_000

/** Whether a time lies more than some days before the snapshot; a time that is not there does too. */
export const isOlder = (time: string | null, atMs: number, days: number): boolean =>
  time === null || atMs - Date.parse(time) > days * dayMs
