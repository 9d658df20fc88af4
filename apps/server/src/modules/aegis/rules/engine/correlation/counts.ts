/** Counts, distinct values and measures of a window. Pure. Tested in correlation.test.ts. */
import { numberOf, textOf } from '../detection/values.ts'
import { type Contribution, type CorrelationPlan, entriesOf, type Plan, withinBounds } from './plan.ts'
import { add, isLate, latenessMs, someWindow, type Window } from './window.ts'

type Entry = readonly [at: number, value?: string | number]

/** Value that an entry keeps of an event; null for an event that does not count. */
type Keep = (contribution: Contribution) => string | number | undefined | null

type Measure = (window: Window<Entry>) => number | null

/** A plan that measures windows of entries. */
function windowed({ windowMs, bounds }: CorrelationPlan, keep: Keep, measure: Measure, most?: number): Plan {
  const holds = (window: Window<Entry>): boolean => {
    const measured = measure(window)
    return measured !== null && withinBounds(measured, bounds)
  }
  return (state, contribution) => {
    const entries = entriesOf<Entry>(state)
    const { at } = contribution
    const newest = entries.at(-1)?.[0] ?? at
    const value = keep(contribution)
    const late = value !== null && isLate(at, newest)
    if (value !== null && !late) add(entries, value === undefined ? [at] : [at, value], windowMs, most)
    const fired = value !== null && !late && someWindow(entries, at, windowMs, holds)
    return { state: { e: entries }, fired, late, expiresAt: Math.max(newest, at) + windowMs + latenessMs, dueAt: null }
  }
}

const nothing: Keep = () => undefined

const mostValue = 256
const asText: Keep = ({ value }) => textOf(value)?.slice(0, mostValue) ?? null
const asNumber: Keep = ({ value }) => numberOf(value)

/** More events than the largest bound say nothing more, so that no more are kept. */
export const eventCount = (plan: CorrelationPlan): Plan =>
  windowed(plan, nothing, sizeOf, Math.ceil(Math.max(...Object.values(plan.bounds))) + 1)

export const valueCount = (plan: CorrelationPlan): Plan => windowed(plan, asText, distinctOf)

export const valueSum = (plan: CorrelationPlan): Plan => windowed(plan, asNumber, sumOf)

export const valueAvg = (plan: CorrelationPlan): Plan =>
  windowed(plan, asNumber, (window) => (sizeOf(window) === 0 ? null : sumOf(window) / sizeOf(window)))

/** Linear interpolation between the closest ranks, as type 7 of Hyndman and Fan (1996). */
export const valuePercentile = (plan: CorrelationPlan): Plan =>
  windowed(plan, asNumber, ({ entries, from, to }) => {
    const numbers = entries
      .slice(from, to)
      .map(([, value]) => Number(value))
      .sort((one, other) => one - other)
    if (numbers.length === 0) return null
    const rank = ((plan.percentile ?? 50) / 100) * (numbers.length - 1)
    const [below = 0, above = 0] = [numbers[Math.floor(rank)], numbers[Math.ceil(rank)]]
    return below + (above - below) * (rank - Math.floor(rank))
  })

const sizeOf = ({ from, to }: Window<Entry>): number => to - from

function distinctOf({ entries, from, to }: Window<Entry>): number {
  const values = new Set<unknown>()
  for (let place = from; place < to; place += 1) values.add(entries[place]?.[1])
  return values.size
}

function sumOf({ entries, from, to }: Window<Entry>): number {
  let sum = 0
  for (let place = from; place < to; place += 1) sum += Number(entries[place]?.[1])
  return sum
}
