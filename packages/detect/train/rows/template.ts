import type { Random } from './random.ts'

export type Slots = Readonly<Record<string, readonly string[]>>

/**
 * Fills a template. `{name}` becomes a random entry of that slot, which may hold slots itself (at most eight levels);
 * `[maybe this]` is kept half of the time; `(a|b|c)` becomes one of its choices. A backslash takes a mark literally.
 * @throws RangeError for a slot that does not exist.
 */
export function expand(template: string, slots: Slots, random: Random): string {
  return fill(template, { slots, random, depth: 0 })
}

interface Filling {
  readonly slots: Slots
  readonly random: Random
  readonly depth: number
}

const partners: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }

function fill(template: string, filling: Filling): string {
  if (filling.depth > 8) throw new RangeError(`too deeply nested: ${template}`)
  let out = ''
  for (let i = 0; i < template.length; i += 1) {
    const char = template.charAt(i)
    if (char === '\\') {
      i += 1
      out += template.charAt(i)
      continue
    }
    const partner = partners[char]
    const close = partner === undefined ? -1 : closing(template, i, partner)
    if (close < 0) out += char
    else {
      out += choice(char, template.slice(i + 1, close), filling)
      i = close
    }
  }
  return out
}

function choice(mark: string, inside: string, filling: Filling): string {
  const deeper = { ...filling, depth: filling.depth + 1 }
  if (mark === '[') return filling.random.chance(0.5) ? fill(inside, deeper) : ''
  if (mark === '(') return fill(filling.random.pick(alternatives(inside)), deeper)
  const entries = filling.slots[inside]
  if (entries === undefined) throw new RangeError(`no slot ${inside}`)
  return fill(filling.random.pick(entries), deeper)
}

function closing(template: string, open: number, partner: string): number {
  const mark = template.charAt(open)
  let depth = 0
  for (let i = open; i < template.length; i += 1) {
    const char = template.charAt(i)
    if (char === '\\') i += 1
    else if (char === mark) depth += 1
    else if (char === partner) {
      depth -= 1
      if (depth === 0) return i
    }
  }
  return -1
}

/** Splits at `|` outside of inner brackets. */
function alternatives(inside: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i < inside.length; i += 1) {
    const char = inside.charAt(i)
    if (char === '\\') i += 1
    else if (char in partners) depth += 1
    else if (char === '}' || char === ']' || char === ')') depth -= 1
    else if (char === '|' && depth === 0) {
      found.push(inside.slice(from, i))
      from = i + 1
    }
  }
  return [...found, inside.slice(from)]
}
