/** Patterns in which `*` stands for any run of characters. Linear in the name, without backtracking. */

export type NameTest = (name: string) => boolean

/** Reads the pattern once, for many names. */
export function compileWildcard(pattern: string): NameTest {
  if (!pattern.includes('*')) return (name) => name === pattern
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop() ?? ''
  const least = head.length + tail.length
  return (name) =>
    name.length >= least && name.startsWith(head) && name.endsWith(tail) && fits(name, { head, rest, tail })
}

interface Pieces {
  readonly head: string
  /** Between the stars, in their order. */
  readonly rest: readonly string[]
  readonly tail: string
}

function fits(name: string, { head, rest, tail }: Pieces): boolean {
  let at = head.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1 || found + piece.length > name.length - tail.length) return false
    at = found + piece.length
  }
  return true
}

/** Tests one name against a pattern. */
export const matchesWildcard = (pattern: string, name: string): boolean => compileWildcard(pattern)(name)
