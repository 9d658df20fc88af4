const MS_PER_DAY = 86_400_000

// A time without a zone would be read in the zone of the machine, and two machines would disagree on an age.
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Milliseconds since 1970 of an RFC 3339 time with its zone; anything else is a `RangeError`. */
export function instant(text: string): number {
  const at = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new RangeError(`"${text}" is not a time with a zone, such as 2026-01-31T09:00:00Z.`)
  return at
}

/** Days from one moment to another, never negative: a clock that runs ahead does not make evidence younger. */
export function daysBetween(from: number, to: number): number {
  return Math.max(0, to - from) / MS_PER_DAY
}
