/** Whether a time zone of this name (IANA) is known. Tested in time-zone.test.ts. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    // The only error of a zone is an unknown name.
    return false
  }
}
