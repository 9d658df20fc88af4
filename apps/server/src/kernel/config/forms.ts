/** The forms a setting's text can have. Each gives a reader that throws words for the operator. */

export interface Setting<T> {
  readonly env: string
  readonly doc: string
  readonly secret?: true
  /** @throws Error with words for the operator. */
  readonly read: (text: string | undefined) => T
}

const wholePattern = /^\d{1,9}$/

export function text(fallback: string) {
  return (value: string | undefined): string => (value === undefined || value === '' ? fallback : value)
}

export function optional(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}

export function list(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Entries with commas between them, each of this form. */
export function entries(form: RegExp, words: string) {
  return (value: string | undefined): readonly string[] => {
    const found = list(value)
    if (found.some((entry) => !form.test(entry))) throw new Error(`must be a list of ${words}`)
    return found
  }
}

export function containing(fallback: string, part: string) {
  return (value: string | undefined): string => {
    const read = text(fallback)(value)
    if (!read.includes(part)) throw new Error(`must contain ${part}`)
    return read
  }
}

/** Text of this form. */
export function matching(fallback: string, form: RegExp, words: string) {
  return (value: string | undefined): string => {
    const read = text(fallback)(value)
    if (!form.test(read)) throw new Error(`must be ${words}`)
    return read
  }
}

/** Text of this form, or nothing. */
export function matchingOrNone(form: RegExp, words: string) {
  return (value: string | undefined): string | null => {
    const read = optional(value)
    if (read !== null && !form.test(read)) throw new Error(`must be ${words}`)
    return read
  }
}

export function whole(fallback: number, min: number, max: number) {
  return (value: string | undefined): number => {
    if (value === undefined || value === '') return fallback
    const number = Number(value)
    if (!wholePattern.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }
}

export function word<const W extends readonly string[]>(words: W, fallback: W[number]) {
  return (value: string | undefined): W[number] => {
    const found = value === undefined || value === '' ? fallback : words.find((item) => item === value)
    if (found === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return found
  }
}

export function flag(fallback: boolean) {
  return (value: string | undefined): boolean => word(['true', 'false'], fallback ? 'true' : 'false')(value) === 'true'
}

export function url(protocols: readonly string[]) {
  return (value: string | undefined): string | null => {
    if (value === undefined || value === '') return null
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (parsed === null || !protocols.includes(parsed.protocol))
      throw new Error(`must be a URL with ${protocols.join(' or ')}`)
    return value.replace(/\/$/, '')
  }
}

/** An http address that paths are appended to: credentials, a query or a fragment in it would end up elsewhere. */
export function baseUrl(protocols: readonly ('http:' | 'https:')[] = ['http:', 'https:']) {
  const read = url(protocols)
  return (value: string | undefined): string | null => {
    const found = read(value)
    if (found === null) return null
    const { username, password } = new URL(found)
    if (/[?#]/.test(found) || `${username}${password}` !== '')
      throw new Error('must be an address without user, password, query (?) and fragment (#)')
    return found
  }
}

/** Some of these words, with commas between them. */
export function words<const W extends readonly string[]>(known: W) {
  return (value: string | undefined): readonly W[number][] =>
    list(value).map((item) => {
      const found = known.find((each) => each === item)
      if (found === undefined) throw new Error(`must be words of ${known.join(', ')} with commas between them`)
      return found
    })
}

/** `key=value` pairs with commas between them, percent-encoded, as the OpenTelemetry variables have them. */
export function pairs(value: string | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list(value).map((item) => {
      const at = item.indexOf('=')
      if (at < 1) throw new Error('must be key=value pairs with commas between them')
      return [decoded(item.slice(0, at).trim()), decoded(item.slice(at + 1).trim())]
    }),
  )
}

/** @throws Error with words for the operator */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has a percent sign that encodes nothing')
  }
}

/** A share of 1. */
export function share(fallback: number) {
  return (value: string | undefined): number => {
    if (value === undefined || value === '') return fallback
    const number = Number(value)
    if (!(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1')
    return number
  }
}
