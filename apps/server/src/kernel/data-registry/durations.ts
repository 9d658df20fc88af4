const pattern = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/

/** Of a year, a month, a week, a day, an hour and a minute. */
const daysOfPart = [365, 30, 7, 1, 1 / 24, 1 / 1_440]

/**
 * Days of an ISO 8601 duration in years, months, weeks, days, hours and minutes; a year has 365 of them and a month 30. For
 * comparisons, not for dates.
 * @throws TypeError
 */
export function daysOf(duration: string): number {
  const [whole, ...parts] = pattern.exec(duration) ?? []
  if (whole === undefined || parts.every((part) => part === undefined))
    throw new TypeError(`Not a duration: ${JSON.stringify(duration)}`)
  return parts.reduce((sum, part, place) => sum + Number(part ?? 0) * (daysOfPart[place] ?? 0), 0)
}
