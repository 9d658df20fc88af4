/** ISO 8601 durations as calendar arithmetic in UTC: a month after 31 January is the last day of February. Tested in durations.test.ts. */
const pattern = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/

/** @param sign −1 for the time before. Gives Unix milliseconds. @throws TypeError */
export function shifted(atMs: number, duration: string, sign: 1 | -1 = 1): number {
  const [whole, ...parts] = pattern.exec(duration) ?? []
  if (whole === undefined || parts.every((part) => part === undefined))
    throw new TypeError(`not a duration: ${duration}`)
  const [years = 0, months = 0, weeks = 0, days = 0] = parts.map((part) => Number(part ?? 0))
  const at = new Date(atMs)
  const month = at.getUTCMonth() + sign * (12 * years + months)
  const first = new Date(atMs)
  first.setUTCDate(1)
  first.setUTCMonth(month)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(at.getUTCDate(), last))
  return first.getTime() + sign * (7 * weeks + days) * 86_400_000
}
