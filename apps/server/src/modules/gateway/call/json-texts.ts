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
  const names = memberNames(text, Object.keys(record))
  return Object.fromEntries(Object.entries(record).map(([name, member]) => [names(name), mapValue(member, text)]))
}

export type MemberNames = (name: string) => string

/**
 * The names of a record as shown: equal names map to the same shown name. A changed name never takes another member's
 * place, because the record was judged with that member in it.
 */
export function memberNames(text: (value: string) => string, known: readonly string[] = []): MemberNames {
  const names = new Map<string, string>()
  const own = new Set(known)
  const taken = new Set(known)
  const nameOf = (name: string): string => {
    const shown = isPlainName(name) ? name : text(name)
    if (shown === name && (own.has(name) || !taken.has(name))) {
      taken.add(name)
      return name
    }
    return newName(shown, taken)
  }
  return (name) => {
    const shown = names.get(name) ?? nameOf(name)
    names.set(name, shown)
    return shown
  }
}

/** An identifier as used in programs: not a person's address or number. */
const plainName = /^[A-Za-z_$][A-Za-z_$-]{0,31}\d{0,3}$/

/**
 * Whether a name needs no inspection: three words of some length can be an instruction, `ignore_previous_instructions`.
 */
export const isPlainName = (name: string): boolean =>
  (plainName.test(name) && (name.length < shortestOrder || wordsIn(name).length < 3)) ||
  (name.length < shortestNumber && /^\d+$/.test(name))

/** Characters of the shortest name that can say as much as a sentence. */
const shortestOrder = 20

/** `getUserName`, `get_user_name` and `get-user-name` have three words. */
export const wordsIn = (name: string): readonly string[] => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []

/** An unused name: values that are hidden alike would otherwise become one member. */
export function newName(name: string, taken: Set<string>): string {
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

/** Deeper JSON text is treated as plain text: the recursive walk above must not overflow the stack. */
const deepest = 64

export interface ReadJson {
  readonly value: unknown
  /** Whether the value represents the whole text: if a name occurs twice, another reader may use the first member. */
  readonly isAll: boolean
}

/**
 * Parsed value of a JSON text; null if it is not JSON, is too deep, or holds a number that JavaScript cannot represent.
 */
export function readJson(text: string): ReadJson | null {
  const written = tokensOf(text)
  if (written.depth > deepest || !written.isExact) return null
  try {
    const value: unknown = JSON.parse(text)
    return { value, isAll: written.members === membersOf(value) }
  } catch {
    // A model may have written broken JSON; it is inspected as text.
    return null
  }
}

interface Written {
  readonly members: number
  readonly depth: number
  /** Every number long enough to be personal data is spelled exactly as JavaScript prints it. */
  readonly isExact: boolean
}

const structure = /["{}[\]:]|-?\d[\d.eE+-]*/g

function tokensOf(text: string): Written {
  let [members, depth, deep, isExact] = [0, 0, 0, true]
  structure.lastIndex = 0
  for (let found = structure.exec(text); found !== null; found = structure.exec(text)) {
    const [token] = found
    if (token === '"') structure.lastIndex = endOfString(text, found.index)
    else if (token === ':') members += 1
    else if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token.length >= shortestNumber) isExact &&= String(Number(token)) === token
    deep = Math.max(deep, depth)
  }
  return { members, depth: deep, isExact }
}

/**
 * Position after the closing quote. Hand-written: a pattern for whole strings would scan a broken text once for every
 * quote in it.
 */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce((sum: number, member) => sum + membersOf(member), 0)
  return Array.isArray(value) ? inner : inner + Object.keys(value).length
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** A text as a JSON reader sees the contents of its strings. */
export function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code?: string, sign: string = '') =>
    code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
