/** Sets of hosts as lists: `example.com` is that host, `*.example.com` every host below it. Tested in hosts.test.ts. */

function covers(wide: string, narrow: string): boolean {
  return wide === narrow || (wide.startsWith('*.') && narrow.endsWith(wide.slice(1)))
}

/** The list without entries covered by another entry, sorted: equal sets are equal lists. */
export function hostSet(entries: readonly string[]): string[] {
  const unique = [...new Set(entries)]
  return unique.filter((entry) => !unique.some((other) => other !== entry && covers(other, entry))).sort()
}

/** The hosts in both: of two entries that meet, one covers the other. */
export function commonHosts(a: readonly string[], b: readonly string[]): string[] {
  const within = (entries: readonly string[], others: readonly string[]): string[] =>
    entries.filter((entry) => others.some((other) => covers(other, entry)))
  return hostSet([...within(a, b), ...within(b, a)])
}
