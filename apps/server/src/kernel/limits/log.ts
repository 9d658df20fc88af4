/**
 * The exact sliding window: one time stamp per unit. A unit taken at `t` counts while `now - t < windowMs`.
 */

export interface UnitLog {
  readonly kind: 'log'
  /** Circular: `count` stamps in ascending order from `head`. */
  stamps: Float64Array
  head: number
  count: number
  /** Latest moment this log was asked about. */
  latest: number
}

/** An empty log. It starts small and grows to its limit, so a flood of one-shot keys stays cheap. */
export function createLog(now: number): UnitLog {
  return { kind: 'log', stamps: new Float64Array(4), head: 0, count: 0, latest: now }
}

/** Forgets units older than the window and returns how many still count. */
export function logUsed(log: UnitLog, now: number, windowMs: number): number {
  while (log.count > 0 && now - stampAt(log, 0) >= windowMs) {
    log.head = (log.head + 1) % log.stamps.length
    log.count -= 1
  }
  return log.count
}

/** Records `cost` units at `now`; the caller has made sure that they fit. */
export function logCharge(log: UnitLog, now: number, cost: number): void {
  if (log.count + cost > log.stamps.length) grow(log, log.count + cost)
  for (let unit = 0; unit < cost; unit += 1) {
    log.stamps[(log.head + log.count) % log.stamps.length] = now
    log.count += 1
  }
}

/** Milliseconds until `excess` units (at most the number counted) have left the window. */
export function logWait(log: UnitLog, now: number, excess: number, windowMs: number): number {
  return stampAt(log, excess - 1) + windowMs - now
}

/** When the last counted unit leaves the window; `now` for an empty log. */
export function logEmptyAt(log: UnitLog, now: number, windowMs: number): number {
  return log.count === 0 ? now : stampAt(log, log.count - 1) + windowMs
}

const stampAt = (log: UnitLog, index: number): number => log.stamps[(log.head + index) % log.stamps.length] ?? 0

function grow(log: UnitLog, needed: number): void {
  const larger = new Float64Array(Math.max(needed, log.stamps.length * 2))
  for (let index = 0; index < log.count; index += 1) larger[index] = stampAt(log, index)
  log.stamps = larger
  log.head = 0
}
