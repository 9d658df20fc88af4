/**
 * Reads the source of a JavaScript regular expression into a tree. It supports no `v` flag and nothing newer than
 * ES2024's named groups, and refuses all other syntax. Tested in patterns.test.ts, where every pattern of the product
 * must match the same as in the engine.
 */
export type Node =
  /** One character; `source` is a pattern of that character alone. */
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'all'; readonly parts: readonly Node[] }
  | { readonly kind: 'any'; readonly branches: readonly Node[] }
  | { readonly kind: 'repeat'; readonly body: Node; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly kind: 'group'; readonly body: Node; readonly index: number; readonly name: string | null }
  | { readonly kind: 'look'; readonly body: Node; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'at'; readonly what: '^' | '$' | 'b' | 'B' }
  | { readonly kind: 'back'; readonly to: string }

interface Reader {
  readonly source: string
  readonly unicode: boolean
  at: number
  groups: number
}

/** @throws Error for a form that is not known here */
export function parsePattern(source: string, flags: string): Node {
  if (flags.includes('v')) throw new Error(`the v flag of /${source}/`)
  const reader: Reader = { source, unicode: flags.includes('u'), at: 0, groups: 0 }
  const node = readBranches(reader)
  if (reader.at < source.length) throw new Error(`/${source}/ goes on at ${reader.at}`)
  return node
}

function readBranches(reader: Reader): Node {
  const branches = [readParts(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at += 1
    branches.push(readParts(reader))
  }
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { kind: 'any', branches }
}

function readParts(reader: Reader): Node {
  const parts: Node[] = []
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? ''))
    parts.push(readTerm(reader))
  return { kind: 'all', parts }
}

function readTerm(reader: Reader): Node {
  const body = readAtom(reader)
  const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(reader.source.slice(reader.at, reader.at + 30))
  if (found === null) return body
  reader.at += found[0].length
  const [, sign, least = '0', comma = '', most = '', lazy] = found
  const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
  const open = sign === undefined ? comma !== '' && most === '' : sign !== '?'
  const bounded = sign === '?' ? 1 : most === '' ? min : Number(most)
  return { kind: 'repeat', body, min, max: open ? Number.POSITIVE_INFINITY : bounded, lazy: lazy === '?' }
}

function readAtom(reader: Reader): Node {
  const { source, at } = reader
  const character = source[at]
  if (character === '(') return readGroup(reader)
  if (character === '[') return taken(reader, classLength(source, at))
  if (character === '^' || character === '$') {
    reader.at += 1
    return { kind: 'at', what: character }
  }
  if (character === '\\') return readEscape(reader)
  return taken(reader, reader.unicode ? String.fromCodePoint(source.codePointAt(at) ?? 0).length : 1)
}

function taken(reader: Reader, length: number): Node {
  const source = reader.source.slice(reader.at, reader.at + length)
  reader.at += length
  return { kind: 'one', source: source === '/' ? '\\/' : source }
}

function classLength(source: string, from: number): number {
  let at = from + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at + 1 - from
}

const longEscape = /^\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|p\{[^}]*\}|c[a-z]|0)/i

function readEscape(reader: Reader): Node {
  const rest = reader.source.slice(reader.at)
  const back = /^\\(?:([1-9]\d*)|k<([^>]+)>)/.exec(rest)
  if (back !== null) {
    reader.at += back[0].length
    return { kind: 'back', to: back[1] ?? back[2] ?? '' }
  }
  const next = rest[1]
  if (next === 'b' || next === 'B') {
    reader.at += 2
    return { kind: 'at', what: next }
  }
  const pair = /^\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/i.exec(rest)
  if (reader.unicode && pair !== null) return taken(reader, pair[0].length)
  return taken(reader, longEscape.exec(rest)?.[0].length ?? 2)
}

function readGroup(reader: Reader): Node {
  const opening = /^\((?:\?(?:[:=!]|<[=!]|<([^>=!]+)>))?/.exec(reader.source.slice(reader.at)) ?? ['(']
  const [text, name = null] = opening
  if (text === '(' && reader.source[reader.at + 1] === '?') throw new Error(`a group of /${reader.source}/`)
  reader.at += text.length
  const captures = text === '(' || name !== null
  if (captures) reader.groups += 1
  const index = reader.groups
  const body = readBranches(reader)
  if (reader.source[reader.at] !== ')') throw new Error(`/${reader.source}/ has no end of a group`)
  reader.at += 1
  if (captures) return { kind: 'group', body, index, name }
  if (text === '(?:') return body
  return { kind: 'look', body, behind: text.includes('<'), negative: text.endsWith('!') }
}
