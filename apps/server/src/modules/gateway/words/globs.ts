import { deniedForms } from '../../../kernel/base/model-names.ts'

/** Lists of which each must let a name through: the meet of several allow-lists of patterns. */
export type AllowLists = readonly (readonly string[])[]

/** Tests a name against one pattern; `*` stands for any run of characters. Linear in the name, without backtracking. */
export function matchesGlob(pattern: string, name: string): boolean {
  const pieces = pattern.split('*')
  const [head = '', ...rest] = pieces
  if (rest.length === 0) return pattern === name
  const tail = rest.pop() ?? ''
  if (!name.startsWith(head) || name.length < head.length + tail.length || !name.endsWith(tail)) return false
  let at = head.length
  const end = name.length - tail.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

export function matchesAny(patterns: readonly string[], ...names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matchesGlob(pattern, name)))
}

interface NameLists {
  readonly allow: AllowLists
  readonly deny: readonly string[]
}

/** Every allow-list must let one of the names through and no denial may fit any, in any case. */
export function isAllowed({ allow, deny }: NameLists, ...names: readonly string[]): boolean {
  return areAllowed(allow, names) && !isDenied(deny, names)
}

/** As `isAllowed` for the names of a model: denying a model denies its dated snapshots too. */
export function isModelAllowed({ allow, deny }: NameLists, ...names: readonly string[]): boolean {
  return areAllowed(allow, names) && !isDenied(deny, names.flatMap(deniedForms))
}

function areAllowed(allow: AllowLists, names: readonly string[]): boolean {
  return allow.every((patterns) => matchesAny(patterns, ...names))
}

function isDenied(deny: readonly string[], names: readonly string[]): boolean {
  if (deny.length === 0) return false
  const patterns = deny.map((pattern) => pattern.toLowerCase())
  return matchesAny(patterns, ...names.map((name) => name.toLowerCase()))
}
