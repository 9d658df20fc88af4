/**
 * RFC 8785 canonical JSON of a snapshot's contents. The general serializer would block the event loop for the inputs of
 * a run with thousands of events (bench/trust.mjs). ECMAScript writes texts and numbers as RFC 8785 requires; only the
 * order of members remains. Like `JSON.stringify` it leaves out members that are undefined. Compared with the general
 * serializer in canonical.test.ts.
 */
export function canonicalText(value: object): string {
  return JSON.stringify(inKeyOrder(value))
}

/** The value with the members of all objects by code unit of their names; the same object where they are already. */
function inKeyOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inKeyOrder)
  const names = Object.keys(value)
  const members = Object.values(value)
  if (areOrdered(names) && !members.some((member) => typeof member === 'object' && member !== null)) return value
  const entries = names.map((name, place) => [name, inKeyOrder(members[place])] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function areOrdered(names: readonly string[]): boolean {
  return names.every((name, place) => place === 0 || (names[place - 1] ?? '') < name)
}
