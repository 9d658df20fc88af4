/** An event as rules see it, and how they read its fields. Pure. Tested in detection.test.ts. */

export interface RuleRecord {
  readonly id: string
  readonly channel: string
  readonly subject: string
  /** ISO 8601. */
  readonly time: string
  /** Unix milliseconds of `time`. */
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

export type Getter = (record: RuleRecord) => unknown

const envelope: Readonly<Record<string, Getter>> = {
  channel: ({ channel }) => channel,
  subject: ({ subject }) => subject,
  time: ({ time }) => time,
  event_id: ({ id }) => id,
}

/**
 * Reads a field: one of the envelope (`channel`, `subject`, `time`, `event_id`), else a member of the data; dots lead into
 * objects. Undefined where there is none.
 */
export function fieldGetter(path: string): Getter {
  const fixed = Object.hasOwn(envelope, path) ? envelope[path] : undefined
  if (fixed !== undefined) return fixed
  const names = path.split('.')
  const [first = ''] = names
  if (names.length === 1) return ({ data }) => (Object.hasOwn(data, first) ? data[first] : undefined)
  return ({ data }) => {
    let value: unknown = data
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      value = Reflect.get(value, name)
    }
    return value
  }
}
