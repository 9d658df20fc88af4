/**
 * The condition of a detection: names of selections with `and`, `or`, `not`, brackets, and `1 of` or `all of` names with a
 * star. Pure. Tested in detection.test.ts.
 */
import { RuleRefusal } from '../base/refusal.ts'
import { allOf, anyOf, type Compiled, not } from './predicate.ts'

const mostLength = 4_096
const mostDepth = 32

interface Reader {
  readonly selections: ReadonlyMap<string, Compiled>
  readonly tokens: readonly string[]
  readonly pointer: string
  at: number
  depth: number
}

/** @throws RuleRefusal */
export function compileCondition(
  condition: string,
  selections: ReadonlyMap<string, Compiled>,
  pointer: string,
): Compiled {
  if (condition.length > mostLength) throw new RuleRefusal('condition', pointer, 'The condition is too long.')
  if (condition.includes('|')) {
    const detail = 'Aggregations after a pipe are not supported; write a correlation rule.'
    throw new RuleRefusal('aggregation', pointer, detail)
  }
  const tokens = condition.match(/[()]|[^\s()]+/g) ?? []
  const reader: Reader = { selections, tokens, pointer, at: 0, depth: 0 }
  const compiled = readOr(reader)
  const [rest] = reader.tokens.slice(reader.at)
  if (rest !== undefined) throw unexpected(reader, rest)
  return compiled
}

function readOr(reader: Reader): Compiled {
  const parts = [readAnd(reader)]
  while (takes(reader, 'or')) parts.push(readAnd(reader))
  return anyOf(parts)
}

function readAnd(reader: Reader): Compiled {
  const parts = [readNot(reader)]
  while (takes(reader, 'and')) parts.push(readNot(reader))
  return allOf(parts)
}

function readNot(reader: Reader): Compiled {
  reader.depth += 1
  if (reader.depth > mostDepth) throw new RuleRefusal('condition', reader.pointer, 'The condition is nested too deep.')
  const read = takes(reader, 'not') ? not(readNot(reader)) : readPart(reader)
  reader.depth -= 1
  return read
}

function readPart(reader: Reader): Compiled {
  const token = reader.tokens[reader.at]
  if (token === undefined) throw new RuleRefusal('condition', reader.pointer, 'The condition ends too early.')
  reader.at += 1
  if (token === '(') {
    const inner = readOr(reader)
    if (!takes(reader, ')')) throw new RuleRefusal('condition', reader.pointer, 'A bracket is not closed.')
    return inner
  }
  if (reader.tokens[reader.at]?.toLowerCase() === 'of') return readQuantifier(reader, token)
  const selection = reader.selections.get(token)
  if (selection === undefined) throw unexpected(reader, token)
  return selection
}

function readQuantifier(reader: Reader, quantifier: string): Compiled {
  const kind = quantifier.toLowerCase()
  if (kind !== '1' && kind !== 'any' && kind !== 'all') {
    const detail = `Only 1 of, any of and all of are supported, not ${quantifier.slice(0, 20)} of.`
    throw new RuleRefusal(`condition ${quantifier.slice(0, 20)} of`, reader.pointer, detail)
  }
  const pattern = reader.tokens[reader.at + 1]
  if (pattern === undefined) throw new RuleRefusal('condition', reader.pointer, 'The condition ends too early.')
  reader.at += 2
  const chosen = [...reader.selections].filter(([name]) => isChosen(name, pattern)).map(([, selection]) => selection)
  if (chosen.length === 0) {
    throw new RuleRefusal('condition', reader.pointer, `No selection has a name like ${pattern.slice(0, 60)}.`)
  }
  return kind === 'all' ? allOf(chosen) : anyOf(chosen)
}

/** `them` is all names but those that begin with an underscore. */
function isChosen(name: string, pattern: string): boolean {
  if (pattern.toLowerCase() === 'them') return !name.startsWith('_')
  if (!pattern.includes('*')) return name === pattern
  const pieces = pattern.split('*')
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  let at = first.length
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= name.length - last.length
}

function takes(reader: Reader, word: string): boolean {
  if (reader.tokens[reader.at]?.toLowerCase() !== word) return false
  reader.at += 1
  return true
}

const unexpected = ({ pointer }: Reader, token: string): RuleRefusal =>
  new RuleRefusal('condition', pointer, `${token.slice(0, 60)} is no selection and not expected there.`)
