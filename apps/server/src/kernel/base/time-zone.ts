/** Whether somebody knows a time zone by this name (IANA). Tested in time-zone.test.ts. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    // The only thing that is wrong with a zone is that nobody knows it.
    return false
  }
}
