/**
 * A backtracking matcher that counts its steps, so that the growth of the work can be judged without a clock. It finds
 * the same matches as the engine; the engine's own shortcuts are not in the count. Tested in patterns.test.ts.
 */
import type { Node } from './parse.ts'

export interface Outcome {
  /** Null where the steps ran out. */
  readonly found: readonly [begin: number, end: number] | null | 'gave up'
  readonly steps: number
}

interface Run {
  readonly text: string
  readonly flags: string
  readonly most: number
  steps: number
  readonly captures: Map<string, string>
}

type Next = (at: number) => number | null

class OutOfSteps extends Error {}

/** Searches as `exec` does: everywhere, or with `y` at the beginning alone. */
export function search(node: Node, text: string, how: { readonly flags: string; readonly most: number }): Outcome {
  const run: Run = { text, ...how, steps: 0, captures: new Map() }
  const last = how.flags.includes('y') || isAnchored(node, how.flags) ? 0 : text.length
  try {
    for (let begin = 0; begin <= last; begin += Math.max(1, characterAt(run, begin).length)) {
      const end = match(run, node, begin, (at) => at)
      if (end !== null) return { found: [begin, end], steps: run.steps }
    }
    return { found: null, steps: run.steps }
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof RangeError) return { found: 'gave up', steps: how.most }
    throw error
  }
}

/** The engine, too, does not try the other places of a text for patterns that begin with `^`. */
function isAnchored(node: Node, flags: string): boolean {
  if (flags.includes('m')) return false
  if (node.kind === 'at') return node.what === '^'
  if (node.kind === 'all') return node.parts[0] !== undefined && isAnchored(node.parts[0], flags)
  if (node.kind === 'any') return node.branches.every((branch) => isAnchored(branch, flags))
  return node.kind === 'group' && isAnchored(node.body, flags)
}

function match(run: Run, node: Node, at: number, next: Next): number | null {
  run.steps += 1
  if (run.steps > run.most) throw new OutOfSteps()
  switch (node.kind) {
    case 'one': {
      const character = characterAt(run, at)
      return character !== '' && isOne(node.source, character, run.flags) ? next(at + character.length) : null
    }
    case 'all':
      return matchAll(run, node.parts, 0, at, next)
    case 'any': {
      for (const branch of node.branches) {
        const end = match(run, branch, at, next)
        if (end !== null) return end
      }
      return null
    }
    case 'repeat':
      return matchRepeat(run, node, 0, at, next)
    case 'group':
      return matchGroup(run, node, at, next)
    case 'look':
      return looks(run, node, at) === node.negative ? null : next(at)
    case 'at':
      return stands(run, node.what, at) ? next(at) : null
    case 'back': {
      const captured = run.captures.get(node.to) ?? ''
      run.steps += captured.length
      return run.text.startsWith(captured, at) ? next(at + captured.length) : null
    }
  }
}

function matchAll(run: Run, parts: readonly Node[], index: number, at: number, next: Next): number | null {
  const part = parts[index]
  if (part === undefined) return next(at)
  return match(run, part, at, (then) => matchAll(run, parts, index + 1, then, next))
}

type Repeat = Extract<Node, { kind: 'repeat' }>

function matchRepeat(run: Run, node: Repeat, done: number, at: number, next: Next): number | null {
  const again = (): number | null =>
    done >= node.max
      ? null
      : match(run, node.body, at, (then) =>
          then === at && done >= node.min ? null : matchRepeat(run, node, done + 1, then, next),
        )
  if (done < node.min) return again()
  return node.lazy ? (next(at) ?? again()) : (again() ?? next(at))
}

function matchGroup(run: Run, node: Extract<Node, { kind: 'group' }>, at: number, next: Next): number | null {
  const names = [String(node.index), ...(node.name === null ? [] : [node.name])]
  const before = names.map((name) => run.captures.get(name))
  const end = match(run, node.body, at, (then) => {
    for (const name of names) run.captures.set(name, run.text.slice(at, then))
    return next(then)
  })
  if (end === null)
    for (const [index, name] of names.entries()) {
      const value = before[index]
      if (value === undefined) run.captures.delete(name)
      else run.captures.set(name, value)
    }
  return end
}

function looks(run: Run, { body, behind }: Extract<Node, { kind: 'look' }>, at: number): boolean {
  if (!behind) return match(run, body, at, (then) => then) !== null
  const longest = Math.min(at, lengthOf(body))
  for (let back = 0; back <= longest; back += 1)
    if (match(run, body, at - back, (then) => (then === at ? then : null)) !== null) return true
  return false
}

/** Code units that a part takes at most. */
function lengthOf(node: Node): number {
  if (node.kind === 'one') return 2
  if (node.kind === 'all') return node.parts.reduce((sum, part) => sum + lengthOf(part), 0)
  if (node.kind === 'any') return Math.max(...node.branches.map(lengthOf))
  if (node.kind === 'repeat') return node.max === 0 ? 0 : lengthOf(node.body) * node.max
  return node.kind === 'group' ? lengthOf(node.body) : node.kind === 'back' ? Number.POSITIVE_INFINITY : 0
}

function characterAt({ text, flags }: Run, at: number): string {
  if (at >= text.length) return ''
  return flags.includes('u') ? String.fromCodePoint(text.codePointAt(at) ?? 0) : (text[at] ?? '')
}

const verdicts = new Map<string, Map<string, boolean>>()

/** Asked of the engine, once for each character. */
export function isOne(source: string, character: string, flags: string): boolean {
  const key = `${flags} ${source}`
  const known = verdicts.get(key) ?? new Map<string, boolean>()
  verdicts.set(key, known)
  const verdict = known.get(character) ?? new RegExp(`^(?:${source})$`, flags.replaceAll(/[gymd]/g, '')).test(character)
  known.set(character, verdict)
  return verdict
}

function stands({ text, flags }: Run, what: '^' | '$' | 'b' | 'B', at: number): boolean {
  const lineEnd = (character: string | undefined): boolean => /[\n\r\u2028\u2029]/.test(character ?? '')
  if (what === '^') return at === 0 || (flags.includes('m') && lineEnd(text[at - 1]))
  if (what === '$') return at === text.length || (flags.includes('m') && lineEnd(text[at]))
  const isWord = (character: string | undefined): boolean => /\w/.test(character ?? '')
  return (isWord(text[at - 1]) !== isWord(text[at])) === (what === 'b')
}
