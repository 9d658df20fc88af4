/**
 * The texts inside a JSON value. A number may be a card or a phone number, so a long one is shown as text too, and so is
 * the name of a member that is more than a plain name. Depth is bounded by the readers. Tested in texts.test.ts.
 */
export function mapValue(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return mapNumber(value, text)
  if (Array.isArray(value)) return value.map((item) => mapValue(item, text))
  if (typeof value !== 'object' || value === null) return value
  return mapRecord(value, text)
}

export function mapRecord(record: object, text: (value: string) => string): Record<string, unknown> {
  const names = new Set<string>()
  return Object.fromEntries(
    Object.entries(record).map(([name, member]) => {
      const shown = newName(isPlainName(name) ? name : text(name), names)
      return [shown, mapValue(member, text)]
    }),
  )
}

/** Such as programs have: it is nobody's address or number, and too short for a sentence. */
const plainName = /^[A-Za-z_$][A-Za-z_$-]{0,31}\d{0,3}$/

/** Whether a name needs no look. */
export const isPlainName = (name: string): boolean =>
  plainName.test(name) || (name.length < shortestNumber && /^\d+$/.test(name))

/** Values that are hidden alike would be one member. */
function newName(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`
  taken.add(free)
  return free
}

/** Numbers shorter than this are never personal data. */
const shortestNumber = 8

function mapNumber(value: number, text: (value: string) => string): unknown {
  const written = String(value)
  if (written.length < shortestNumber) return value
  const replaced = text(written)
  return replaced === written ? value : replaced
}

/** Deeper JSON text is treated as text: the walk above must not run out of stack. */
const deepest = 64

/** The value of a JSON text; undefined when it is none or too deep. */
export function parseShallow(text: string): unknown {
  let depth = 0
  let found = 0
  for (const character of text.matchAll(/[{}[\]]/g)) {
    depth += character[0] === '{' || character[0] === '[' ? 1 : -1
    found = Math.max(found, depth)
  }
  if (found > deepest) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // A model may have written broken JSON; it is inspected as text.
    return undefined
  }
}
