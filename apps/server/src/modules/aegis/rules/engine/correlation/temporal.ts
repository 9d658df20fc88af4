/** Events of several sources within one window, in any order or in theirs. Pure. Tested in correlation.test.ts. */
import { type CorrelationPlan, entriesOf, type Plan } from './plan.ts'
import { add, isLate, latenessMs, someWindow, type Window } from './window.ts'

type Entry = readonly [at: number, source: number]

/** Events of one source that are kept: a combination needs one of each only. */
const mostOfSource = 32

export function temporal({ windowMs, sources }: CorrelationPlan, ordered: boolean): Plan {
  const holds = (window: Window<Entry>): boolean => (ordered ? inOrder(window, sources) : all(window, sources))
  return (state, { at, source }) => {
    const entries = entriesOf<Entry>(state)
    const newest = entries.at(-1)?.[0] ?? at
    const late = isLate(at, newest)
    if (!late) {
      add<Entry>(entries, [at, source], windowMs)
      bound(entries, source)
    }
    const fired = !late && someWindow(entries, at, windowMs, holds)
    return { state: { e: entries }, fired, late, expiresAt: Math.max(newest, at) + windowMs + latenessMs, dueAt: null }
  }
}

/** Leaves out the oldest entry of a source that has too many. */
function bound(entries: Entry[], source: number): void {
  const own = entries.reduce((count, entry) => count + (entry[1] === source ? 1 : 0), 0)
  if (own <= mostOfSource) return
  entries.splice(
    entries.findIndex((entry) => entry[1] === source),
    1,
  )
}

const all = ({ entries, from, to }: Window<Entry>, sources: number): boolean =>
  new Set(entries.slice(from, to).map(([, source]) => source)).size === sources

/** Whether the window has an event of each source in the order of the sources: the earliest of each after the last. */
function inOrder({ entries, from, to }: Window<Entry>, sources: number): boolean {
  let wanted = 0
  for (let place = from; place < to && wanted < sources; place += 1) if (entries[place]?.[1] === wanted) wanted += 1
  return wanted === sources
}
