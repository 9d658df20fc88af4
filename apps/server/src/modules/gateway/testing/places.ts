/** A way to a value inside of another: names of members and places in lists. */
export type Path = readonly (string | number)[]

/** The ways to all texts inside of a value. */
export function placesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return members.flatMap(([name, member]) => placesIn(member, [...path, name]))
}

/** The value with another text at the end of the way. */
export function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text
  if (Array.isArray(value)) return value.map((one, index) => (index === name ? withText(one, rest, text) : one))
  return Object.fromEntries(
    Object.entries(value as object).map(([key, one]) => [key, key === name ? withText(one, rest, text) : one]),
  )
}
