/** The native types that remember: new values, absence of events and unusual numbers of them. Pure. Tested in native.test.ts. */
import { anscombe, robustZ } from '@parapet/quant'
import { textOf } from '../detection/values.ts'
import { entriesOf, type Plan } from './plan.ts'
import { latenessMs } from './window.ts'

const dayMs = 86_400_000

/** Values of a group that are remembered, and for how long after they were seen last. */
const mostValues = 1_000
const memoryMs = 90 * dayMs

type Known = readonly [value: string, lastSeen: number]

/**
 * A value that the group did not have before. Values within the learning time of a group are learned without a hit; its
 * first value always is.
 */
export function newValue(learningMs: number): Plan {
  return (state, { at, value }) => {
    const known = new Map(entriesOf<Known>(state))
    const since = sinceOf(state) ?? at
    const text = textOf(value)?.slice(0, 256)
    const expiresAt = at + memoryMs
    if (text === undefined)
      return { state: { e: [...known], s: since }, fired: false, late: false, expiresAt, dueAt: null }
    const seen = known.get(text)
    const isNew = seen === undefined || seen < at - memoryMs
    known.delete(text)
    known.set(text, at)
    const kept = [...known].slice(-mostValues)
    const fired = isNew && state !== undefined && at - since >= learningMs
    return { state: { e: kept, s: since }, fired, late: false, expiresAt, dueAt: null }
  }
}

const sinceOf = (state: unknown): number | null => {
  const since: unknown = typeof state === 'object' && state !== null && 's' in state ? state.s : null
  return typeof since === 'number' ? since : null
}

/** Nothing is a hit by itself: the absence of the next event is, at `dueAt`. */
export function absence(windowMs: number): Plan {
  return (state, { at }) => {
    const last = Math.max(at, entriesOf<readonly [number]>(state)[0]?.[0] ?? at)
    return {
      state: { e: [[last]] },
      fired: false,
      late: false,
      expiresAt: last + 7 * dayMs,
      dueAt: last + windowMs + latenessMs,
    }
  }
}

/** Windows that the number of events is compared with, and how many there have to be. */
const mostHistory = 30
const leastHistory = 10

interface Numbers {
  /** Number of the window since 1970. */
  readonly window: number
  readonly count: number
  readonly history: readonly number[]
  readonly told: boolean
}

/**
 * More events in a window than the group is used to. Counts are made comparable by Anscombe's transformation
 * y = 2√(x + 3/8), and z = (y − median) / max(1.4826·MAD, 1) is above the threshold: one hit a window.
 */
export function anomaly(windowMs: number, threshold: number): Plan {
  return (state, { at }) => {
    const before = numbersOf(state)
    const window = Math.floor(at / windowMs)
    const expiresAt = at + (mostHistory + 1) * windowMs
    if (before !== null && window < before.window)
      return { state: stateOf(before), fired: false, late: true, expiresAt, dueAt: null }
    const current = before === null ? { window, count: 0, history: [], told: false } : movedTo(before, window)
    const count = current.count + 1
    const fired = !current.told && zScore(count, current.history) > threshold
    return {
      state: stateOf({ ...current, count, told: current.told || fired }),
      fired,
      late: false,
      expiresAt,
      dueAt: null,
    }
  }
}

/** Windows without events count as zero. */
function movedTo(numbers: Numbers, window: number): Numbers {
  if (window === numbers.window) return numbers
  const empty = Math.min(mostHistory, window - numbers.window - 1)
  const history = [...numbers.history, numbers.count, ...Array<number>(empty).fill(0)].slice(-mostHistory)
  return { window, count: 0, history, told: false }
}

/** Not above any threshold while there is too little to compare with. */
export function zScore(count: number, history: readonly number[]): number {
  if (history.length < leastHistory) return Number.NEGATIVE_INFINITY
  return robustZ(anscombe(count), history.map(anscombe))
}

const stateOf = ({ window, count, history, told }: Numbers) => ({ e: [[window, count, told ? 1 : 0], history] })

function numbersOf(state: unknown): Numbers | null {
  const [current, history = []] = entriesOf<readonly number[]>(state)
  if (current === undefined) return null
  const [window = 0, count = 0, told = 0] = current
  return { window, count, history, told: told === 1 }
}
