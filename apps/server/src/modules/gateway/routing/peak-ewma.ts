/**
 * A mean that jumps up at once and comes down slowly: a target that has just become slow counts as slow at once, and one
 * that was slow a minute ago does not. Tested in traffic.test.ts.
 */

/** Time after which an observation has lost two thirds of its weight, in milliseconds. */
const tauMs = 10_000

export interface PeakEwma {
  observe(value: number, nowMs: number): void
  /** 0 before the first observation; falls when there are no new ones, so that it is tried again. */
  at(nowMs: number): number
}

export function createPeakEwma(): PeakEwma {
  let mean = 0
  let seenMs = 0
  const weightAt = (nowMs: number): number => Math.exp(-Math.max(0, nowMs - seenMs) / tauMs)
  return {
    observe: (value, nowMs) => {
      const weight = weightAt(nowMs)
      mean = value > mean ? value : mean * weight + value * (1 - weight)
      seenMs = nowMs
    },
    at: (nowMs) => mean * weightAt(nowMs),
  }
}
