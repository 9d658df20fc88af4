/**
 * Reads the tree of an expression before it may run: only published names and known functions, bounded size, and loops
 * only over lists whose length is known before they run. Promises a count of turns for every loop, so that no expression
 * is started that would take long. Tested in cel.test.ts.
 */
import type { parse } from '@bufbuild/cel'
import { celFunctions, celLimits, celOperators } from './limits.ts'
import type { CelFields, CelShape } from './shape.ts'

export type CelTree = ReturnType<typeof parse>['expr']

/** Looks up the value of a path of fields; undefined where there is none. */
export type Lookup = (path: readonly string[]) => unknown

export interface CheckedTree {
  /** Turns of all loops for these values. */
  turns(lookup: Lookup): number
}

/** Why an expression cannot be used, for its author. */
export class CelRefusal extends Error {}

interface Scope {
  readonly fields: CelFields
  readonly depth: number
  readonly loops: number
  /** Form of each loop's variable; null for a form that is not known. */
  readonly locals: ReadonlyMap<string, Local>
}

interface Local {
  readonly shape: CelShape | null
  /** Lists inside an element are as long as the longest of this list of lists. */
  readonly from: readonly string[] | null
}

type Count = (lookup: Lookup) => number

interface Seen {
  readonly shape: CelShape | null
  /** Path from a variable, where the expression is one. */
  readonly path: readonly string[] | null
  readonly turns: Count
  /** Most entries, where it is a list whose length is known before it is made. */
  readonly length: Count | null
}

const none: Count = () => 0

/** @throws CelRefusal */
export function checkTree(tree: CelTree, fields: CelFields, checkPattern: (pattern: string) => void): CheckedTree {
  const walk = createWalk(checkPattern)
  const { turns } = walk(tree, { fields, depth: 1, loops: 0, locals: new Map() })
  return { turns }
}

type Walk = (tree: CelTree, scope: Scope) => Seen

function createWalk(checkPattern: (pattern: string) => void): Walk {
  let nodes = 0
  const walk: Walk = (tree, outer) => {
    nodes += 1
    if (nodes > celLimits.nodes) throw new CelRefusal(`It has more than ${celLimits.nodes} parts.`)
    if (outer.depth > celLimits.depth) throw new CelRefusal(`It is nested deeper than ${celLimits.depth}.`)
    const scope = { ...outer, depth: outer.depth + 1 }
    const { exprKind: kind } = tree
    switch (kind.case) {
      case 'constExpr':
        return plain([])
      case 'identExpr':
        return seeName(kind.value.name, scope)
      case 'selectExpr':
        return seeField(walk(needed(kind.value.operand), scope), kind.value.field)
      case 'listExpr': {
        const items = kind.value.elements.map((item) => walk(item, scope))
        return { ...plain(items), length: () => items.length }
      }
      case 'callExpr':
        return seeCall(kind.value, { scope, walk, checkPattern })
      case 'comprehensionExpr':
        return seeLoop(kind.value, scope, walk)
      default:
        throw new CelRefusal('Messages and maps cannot be made here.')
    }
  }
  return walk
}

function needed(tree: CelTree | undefined): CelTree {
  if (tree === undefined) throw new CelRefusal('It is not complete.')
  return tree
}

const sum = (seen: readonly Seen[]): Count => {
  const counts = seen.map(({ turns }) => turns).filter((count) => count !== none)
  return counts.length === 0 ? none : (lookup) => counts.reduce((total, count) => total + count(lookup), 0)
}

const plain = (seen: readonly Seen[]): Seen => ({ shape: null, path: null, turns: sum(seen), length: null })

function seeName(name: string, { fields, locals }: Scope): Seen {
  const local = locals.get(name)
  if (local !== undefined) return { ...plain([]), shape: local.shape, path: local.from, length: lengthOf(local) }
  const field = fields[name]
  if (field === undefined || !Object.hasOwn(fields, name)) throw new CelRefusal(`There is no variable ${name}.`)
  return { ...plain([]), shape: field.shape, path: [name], length: lengthOf({ shape: field.shape, from: [name] }) }
}

function seeField(operand: Seen, field: string): Seen {
  const { shape } = operand
  if (shape === null) return { ...plain([operand]) }
  if (typeof shape === 'string' || 'list' in shape) throw new CelRefusal(`There is no field ${field} there.`)
  const path = operand.path === null ? null : [...operand.path, field]
  if ('map' in shape)
    return { ...plain([operand]), shape: shape.map, path, length: lengthOf({ shape: shape.map, from: path }) }
  const found = Object.hasOwn(shape.fields, field) ? shape.fields[field] : undefined
  if (found === undefined)
    throw new CelRefusal(`There is no field ${field}; there are ${Object.keys(shape.fields).join(', ')}.`)
  return { ...plain([operand]), shape: found.shape, path, length: lengthOf({ shape: found.shape, from: path }) }
}

/** Of a list or map at a path: its own length; `[]` in a path stands for every element of a list. */
function lengthOf({ shape, from }: Local): Count | null {
  if (shape === null || typeof shape === 'string' || 'fields' in shape || from === null) return null
  return (lookup) => longest(lookup([from[0] ?? '']), from.slice(1))
}

function longest(value: unknown, path: readonly string[]): number {
  const [step, ...rest] = path
  if (value === undefined || value === null) return 0
  if (step === undefined) return Array.isArray(value) ? value.length : value instanceof Map ? value.size : 0
  if (step !== eachElement) return longest(value instanceof Map ? value.get(step) : undefined, rest)
  const elements: readonly unknown[] = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : []
  return elements.reduce<number>((most, element) => Math.max(most, longest(element, rest)), 0)
}

const eachElement = '[]'

type CallNode = Extract<CelTree['exprKind'], { case: 'callExpr' }>['value']
type LoopNode = Extract<CelTree['exprKind'], { case: 'comprehensionExpr' }>['value']

interface CallWork {
  readonly scope: Scope
  readonly walk: Walk
  readonly checkPattern: (pattern: string) => void
}

function seeCall({ function: name, target, args }: CallNode, { scope, walk, checkPattern }: CallWork): Seen {
  if (!celOperators.has(name) && !celFunctions.has(name)) throw new CelRefusal(`There is no function ${name}.`)
  if (name === 'matches') checkPattern(literalOf(args.at(-1)))
  const operands = [...(target === undefined ? [] : [target]), ...args].map((operand) => walk(operand, scope))
  const [first] = operands
  if (name === '_[_]' && first !== undefined) return elementOf(first, operands)
  return plain(operands)
}

/** A pattern has to stand there, so that it can be compiled when the expression is saved. */
function literalOf(tree: CelTree | undefined): string {
  const constant = tree?.exprKind.case === 'constExpr' ? tree.exprKind.value.constantKind : null
  if (constant?.case !== 'stringValue') throw new CelRefusal('A pattern has to be written as a text.')
  return constant.value
}

function elementOf(list: Seen, operands: readonly Seen[]): Seen {
  const local = elements(list)
  return { ...plain(operands), shape: local.shape, path: local.from, length: lengthOf(local) }
}

function elements({ shape, path }: Seen): Local {
  const from = path === null ? null : [...path, eachElement]
  if (shape === null || typeof shape === 'string' || 'fields' in shape) return { shape: null, from: null }
  return { shape: 'list' in shape ? shape.list : shape.map, from }
}

/** What a loop goes over; a loop over a map goes over its names. */
function loopVariable(range: Seen): Local {
  const { shape } = range
  return shape !== null && typeof shape === 'object' && 'map' in shape
    ? { shape: 'string', from: null }
    : elements(range)
}

function seeLoop(loop: LoopNode, scope: Scope, walk: Walk): Seen {
  if (scope.loops >= celLimits.loops) throw new CelRefusal(`More than ${celLimits.loops} loops are inside each other.`)
  const range = walk(needed(loop.iterRange), scope)
  const { length } = range
  if (length === null)
    throw new CelRefusal('A loop goes over a list of a variable, or over a list that is written there.')
  const locals = new Map([
    ...scope.locals,
    [loop.iterVar, loopVariable(range)] as const,
    [loop.accuVar, { shape: null, from: null }] as const,
  ])
  const inner = { ...scope, loops: scope.loops + 1, locals }
  const body = [loop.loopStep, loop.loopCondition, loop.result].flatMap((part) => (part ? [walk(part, inner)] : []))
  const perTurn = sum(body)
  const turns: Count = (lookup) => range.turns(lookup) + length(lookup) * (1 + perTurn(lookup))
  // What `map` and `filter` make has at most as many entries as what they go over.
  return { shape: null, path: null, turns, length: makesList(loop) ? length : null }
}

function makesList({ accuInit }: LoopNode): boolean {
  return accuInit?.exprKind.case === 'listExpr'
}
