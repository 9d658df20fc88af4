/**
 * Windows in event time. A window of `w` milliseconds that ends at `e` holds the moments in (e − w, e]. Events may come up
 * to `latenessMs` after newer ones of their group and still count; later ones are left out. Pure. Tested in
 * correlation.test.ts.
 */

/** Milliseconds by which an event may come after newer ones. */
export const latenessMs = 60_000

/** Entries of one group that are kept; of more the newest. */
export const mostEntries = 10_001

/** First a time in Unix milliseconds. */
export type Timed = readonly [at: number, ...unknown[]]

/** Whether an event is too late for a group whose newest event is of that time. */
export const isLate = (at: number, newest: number): boolean => at < newest - latenessMs

/**
 * Adds an entry in the order of time, and leaves out what no window can hold any more. The list is changed in place: one
 * that grows by an event at a time would be copied for each of them.
 * @param most entries that are kept at most: of more the newest
 */
export function add<E extends Timed>(entries: E[], entry: E, windowMs: number, most = mostEntries): void {
  const [at] = entry
  const newest = entries.at(-1)?.[0] ?? at
  if (at >= newest) entries.push(entry)
  else entries.splice(firstAfter(entries, at), 0, entry)
  const old = firstAfter(entries, Math.max(newest, at) - windowMs - latenessMs)
  const tooMany = Math.max(old, entries.length - most)
  // Seldom and many at a time, because the rest of the list moves up.
  if (tooMany > 0 && (tooMany >= entries.length / 8 || entries.length > most)) entries.splice(0, tooMany)
}

/**
 * Whether a condition holds for any window that a new entry is part of: for one in order that which ends with it, for a
 * late one also those that end with the entries after it.
 */
export function someWindow<E extends Timed>(
  entries: readonly E[],
  at: number,
  windowMs: number,
  holds: (window: Window<E>) => boolean,
): boolean {
  const last = entries.at(-1)
  if (last === undefined) return false
  const [newest] = last
  if (newest === at) return holds(between(entries, at - windowMs, at))
  const ends = new Set(entries.map(([time]) => time).filter((time) => time >= at && time < at + windowMs))
  return [...ends].some((end) => holds(between(entries, end - windowMs, end)))
}

/** A part of a list: from one place up to another, which is not in it. */
export interface Window<E> {
  readonly entries: readonly E[]
  readonly from: number
  readonly to: number
}

/** Entries after the first and up to the second moment, of entries in the order of time. */
const between = <E extends Timed>(entries: readonly E[], after: number, upTo: number): Window<E> => ({
  entries,
  from: firstAfter(entries, after),
  to: firstAfter(entries, upTo),
})

function firstAfter(entries: readonly Timed[], moment: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.[0] ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return low
}
