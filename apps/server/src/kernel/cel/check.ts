/**
 * Reads the tree of an expression before it may run: only published names and known functions, bounded size, and loops
 * only over lists whose length is known before they run. Promises a count of turns for every loop, so that no expression
 * is started that would take long. Tested in cel.test.ts.
 */
import type { parse } from '@bufbuild/cel'
import { CelRefusal } from './faults.ts'
import type { CelFunction } from './functions.ts'
import { type Count, eachElement, type Local, type Lookup, lengthOf } from './lengths.ts'
import { celFunctions, celLimits, celOperators } from './limits.ts'
import type { CelFields, CelShape } from './shape.ts'

export type CelTree = ReturnType<typeof parse>['expr']

export interface CheckedTree {
  /** Turns of all loops for these values. */
  turns(lookup: Lookup): number
  /** Whether it reads anything of a dynamic shape: only real values show then if it can be decided. */
  readonly dynamic: boolean
  /** Variables that it names. */
  readonly names: ReadonlySet<string>
  /** Operations, names and literals, and how deep they stand in each other. */
  readonly nodes: number
  readonly depth: number
}

interface Reach {
  dynamic: boolean
  nodes: number
  depth: number
  readonly names: Set<string>
}

interface Scope {
  readonly fields: CelFields
  readonly depth: number
  readonly loops: number
  /** Form of each loop's variable; null for a form that is not known. */
  readonly locals: ReadonlyMap<string, Local>
}

interface Seen {
  readonly shape: CelShape | null
  /** Path from a variable, where the expression is one. */
  readonly path: readonly string[] | null
  readonly turns: Count
  /** Most entries, where it is a list whose length is known before it is made. */
  readonly length: Count | null
  /** Loops that made it, one after the other. */
  readonly chain: number
}

/** Names that an expression may use besides its variables. */
export interface CheckRules {
  /** @throws CelRefusal */
  readonly checkPattern: (pattern: string) => void
  readonly functions: ReadonlyMap<string, CelFunction>
}

const none: Count = () => 0

/** @throws CelRefusal */
export function checkTree(tree: CelTree, fields: CelFields, rules: CheckRules): CheckedTree {
  const reach: Reach = { dynamic: false, nodes: 0, depth: 0, names: new Set() }
  const walk = createWalk(rules, reach)
  const { turns } = walk(tree, { fields, depth: 1, loops: 0, locals: new Map() })
  return { turns, ...reach }
}

const tooCostly = (message: string): CelRefusal => new CelRefusal(message, null, true)

type Walk = (tree: CelTree, scope: Scope) => Seen

function createWalk(rules: CheckRules, reach: Reach): Walk {
  const walk: Walk = (tree, outer) => {
    reach.nodes += 1
    reach.depth = Math.max(reach.depth, outer.depth)
    if (reach.nodes > celLimits.nodes) throw tooCostly(`It has more than ${celLimits.nodes} parts.`)
    if (outer.depth > celLimits.depth) throw tooCostly(`It is nested deeper than ${celLimits.depth}.`)
    try {
      const seen = seeNode(tree, { scope: { ...outer, depth: outer.depth + 1 }, walk, rules })
      if (seen.shape === 'dyn') reach.dynamic = true
      const [root] = seen.path ?? []
      if (root !== undefined) reach.names.add(root)
      return seen
    } catch (error) {
      // The innermost part that is refused is the one that is meant.
      if (error instanceof CelRefusal && error.part === null)
        throw new CelRefusal(error.message, tree.id, error.isCostly)
      throw error
    }
  }
  return walk
}

interface Work {
  readonly scope: Scope
  readonly walk: Walk
  readonly rules: CheckRules
}

function seeNode({ exprKind: kind }: CelTree, work: Work): Seen {
  const { scope, walk } = work
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
    case 'structExpr':
      return seeMap(kind.value, work)
    case 'callExpr':
      return seeCall(kind.value, work)
    case 'comprehensionExpr':
      return seeLoop(kind.value, scope, walk)
    default:
      throw new CelRefusal('It is not complete.')
  }
}

type StructNode = Extract<CelTree['exprKind'], { case: 'structExpr' }>['value']

function seeMap({ messageName, entries }: StructNode, { scope, walk }: Work): Seen {
  if (messageName !== '') throw new CelRefusal('Messages cannot be made here.')
  const parts = entries.flatMap(({ keyKind, value }) => [
    ...(keyKind.case === 'mapKey' ? [keyKind.value] : []),
    ...(value === undefined ? [] : [value]),
  ])
  return plain(parts.map((part) => walk(part, scope)))
}

function needed(tree: CelTree | undefined): CelTree {
  if (tree === undefined) throw new CelRefusal('It is not complete.')
  return tree
}

const sum = (seen: readonly Seen[]): Count => {
  const counts = seen.map(({ turns }) => turns).filter((count) => count !== none)
  return counts.length === 0 ? none : (lookup) => counts.reduce((total, count) => total + count(lookup), 0)
}

const plain = (seen: readonly Seen[]): Seen => ({
  ...{ shape: null, path: null, turns: sum(seen), length: null },
  chain: Math.max(0, ...seen.map(({ chain }) => chain)),
})

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
  const path = operand.path === null ? null : [...operand.path, field]
  if (shape === 'dyn') return { ...plain([operand]), shape, path, length: lengthOf({ shape, from: path }) }
  if (typeof shape === 'string' || 'list' in shape) throw new CelRefusal(`There is no field ${field} there.`)
  if ('map' in shape)
    return { ...plain([operand]), shape: shape.map, path, length: lengthOf({ shape: shape.map, from: path }) }
  const found = Object.hasOwn(shape.fields, field) ? shape.fields[field] : undefined
  if (found === undefined)
    throw new CelRefusal(`There is no field ${field}; there are ${Object.keys(shape.fields).join(', ')}.`)
  return { ...plain([operand]), shape: found.shape, path, length: lengthOf({ shape: found.shape, from: path }) }
}

type CallNode = Extract<CelTree['exprKind'], { case: 'callExpr' }>['value']
type LoopNode = Extract<CelTree['exprKind'], { case: 'comprehensionExpr' }>['value']

function seeCall({ function: name, target, args }: CallNode, { scope, walk, rules }: Work): Seen {
  const declared = target === undefined ? rules.functions.get(name) : undefined
  if (declared === undefined && !celOperators.has(name) && !celFunctions.has(name))
    throw new CelRefusal(`There is no function ${name}.`)
  if (declared !== undefined && declared.parameters.length !== args.length)
    throw new CelRefusal(`The function ${name} takes ${declared.parameters.length} values.`)
  if (name === 'matches') rules.checkPattern(literalOf(args.at(-1)))
  const operands = [...(target === undefined ? [] : [target]), ...args].map((operand) => walk(operand, scope))
  const [first] = operands
  if (name === '_[_]' && first !== undefined) return elementOf(first, operands)
  if (declared === undefined) return plain(operands)
  const inner = sum(operands)
  return { ...plain(operands), shape: declared.result, turns: (lookup) => declared.cost + inner(lookup) }
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
  if (shape === 'dyn') return { shape, from }
  if (shape === null || typeof shape === 'string' || 'fields' in shape) return { shape: null, from: null }
  return { shape: 'list' in shape ? shape.list : shape.map, from }
}

/** The range of a loop; a loop over a map goes over its names. */
function loopVariable(range: Seen): Local {
  const { shape } = range
  return shape !== null && typeof shape === 'object' && 'map' in shape
    ? { shape: 'string', from: null }
    : elements(range)
}

function seeLoop(loop: LoopNode, scope: Scope, walk: Walk): Seen {
  if (scope.loops >= celLimits.loops) throw tooCostly(`More than ${celLimits.loops} loops are inside each other.`)
  const range = walk(needed(loop.iterRange), scope)
  const { length } = range
  if (length === null)
    throw new CelRefusal('A loop goes over a list of a variable, or over a list that is written there.')
  const chain = range.chain + 1
  if (chain > celLimits.chain) throw tooCostly(`More than ${celLimits.chain} loops follow each other.`)
  const locals = new Map([
    ...scope.locals,
    [loop.iterVar, loopVariable(range)] as const,
    [loop.accuVar, { shape: null, from: null }] as const,
  ])
  const inner = { ...scope, loops: scope.loops + 1, locals }
  const body = [loop.loopStep, loop.loopCondition, loop.result].flatMap((part) => (part ? [walk(part, inner)] : []))
  const perTurn = sum(body)
  const turns: Count = (lookup) => range.turns(lookup) + length(lookup) * (1 + perTurn(lookup))
  // The results of `map` and `filter` have at most as many entries as their range.
  return { shape: null, path: null, turns, length: makesList(loop) ? length : null, chain }
}

function makesList({ accuInit }: LoopNode): boolean {
  return accuInit?.exprKind.case === 'listExpr'
}
