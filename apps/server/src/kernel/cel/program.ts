/**
 * Expressions written by tenants, in CEL (cel.dev): conditions, and values of a declared form. Promises that an expression
 * is read completely before it may run, that its work is bounded by counts and not by a clock, and that it can neither
 * change nor reach anything but the variables and functions it is given. It never guesses: a value not of the declared
 * form is an error of its author. Tested in cel.test.ts and values.test.ts.
 */
import { type CelInput, isCelError, parse, plan } from '@bufbuild/cel'
import { compilePattern } from '@parapet/detect'
import { type CheckedTree, checkTree } from './check.ts'
import { CelFault, CelRefusal } from './faults.ts'
import { beginAccount, type CelFunction, environmentOf } from './functions.ts'
import { celLimits } from './limits.ts'
import { decode } from './result.ts'
import { type CelField, type CelFields, type CelShape, encodeFields, sampleOf } from './shape.ts'

export { CelFault } from './faults.ts'

/** Names that expressions of a kind may use, and the form of their results. */
export interface CelDeclaration {
  readonly variables: CelFields
  readonly functions?: readonly CelFunction[]
  readonly result: CelShape
}

export interface CelExpression {
  readonly source: string
  /** Operations, names and literals, and how deep they stand in each other. */
  readonly size: { readonly nodes: number; readonly depth: number }
  /** Variables that it names; no others are looked at when it runs. */
  readonly names: ReadonlySet<string>
  /**
   * The value as JSON, in the declared form.
   * @throws CelFault when it cannot be decided: a field is absent, types do not fit, or it would take too long
   */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown
  /**
   * The same for many expressions over the same values: a variable is read and encoded for the first one that names it.
   * @throws CelFault, and errors of reading a variable
   */
  evaluateShared(values: SharedVariables): unknown
}

/** Values of the variables of several expressions of one declaration. */
export interface SharedVariables {
  readonly read: (name: string) => unknown
  /** Empty at first; filled by the expressions. */
  readonly encoded: Map<string, EncodedVariable>
}

export interface EncodedVariable {
  /** Undefined where it is absent. */
  readonly value: CelInput | undefined
  /** Characters and entries. */
  readonly size: number
}

export interface RefusedCel {
  readonly ok: false
  /** One sentence for the author of the expression. */
  readonly reason: string
  /** Place of the part that is meant, in characters from 1; null for the whole. */
  readonly position: number | null
  /** It can be read, and would take too much work or has an unsafe pattern. */
  readonly isCostly: boolean
}

export type CompiledExpression = { readonly ok: true; readonly expression: CelExpression } | RefusedCel

export interface CelCondition {
  readonly source: string
  /** @throws CelFault when it cannot be decided: a field is absent, types do not fit, or it would take too long */
  holds(variables: Readonly<Record<string, unknown>>): boolean
}

export type CompiledCel = { readonly ok: true; readonly condition: CelCondition } | RefusedCel

/** Reads a condition over the variables. */
export function compileCel(source: string, variables: CelFields): CompiledCel {
  const compiled = compileExpression(source, { variables, result: 'bool' })
  if (!compiled.ok) return compiled
  const { evaluate } = compiled.expression
  return { ok: true, condition: { source, holds: (values) => evaluate(values) === true } }
}

/** Reads an expression and tries it on samples, so that most mistakes show when it is saved. */
export function compileExpression(source: string, declaration: CelDeclaration): CompiledExpression {
  if (source.length > celLimits.source) return refused(`It has more than ${celLimits.source} characters.`, null, true)
  const places = new Map<bigint, number>()
  try {
    const program = programOf(source, declaration, places)
    // Once with all optional fields, once without: an author who forgets `has()` gets the error here.
    if (!program.tree.dynamic)
      for (const full of [true, false]) program.run(sampleVariables(declaration.variables, full), 'sampled')
    const { nodes, depth, names } = program.tree
    const evaluate = (values: Readonly<Record<string, unknown>>): unknown => program.run(values, 'real')
    return {
      ok: true,
      expression: { source, size: { nodes, depth }, names, evaluate, evaluateShared: program.runShared },
    }
  } catch (error) {
    if (error instanceof CelRefusal) return refused(error.message, placeOf(places, error.part), error.isCostly)
    if (error instanceof PlacedFault) return refused(error.message, placeOf(places, error.part))
    if (error instanceof CelFault) return refused(error.message, null)
    throw error
  }
}

/** Expressions held at once; one is a few kilobytes. */
const mostHeld = 1_000

/** As `compileExpression`, for one declaration, with the expressions that were read kept. */
export function createCelReader<T>(compile: (source: string) => T): (source: string) => T {
  const held = new Map<string, T>()
  return (source) => {
    const known = held.get(source)
    if (known !== undefined) return known
    const compiled = compile(source)
    if (held.size >= mostHeld) held.clear()
    held.set(source, compiled)
    return compiled
  }
}

function refused(reason: string, position: number | null, isCostly = false): RefusedCel {
  return { ok: false, reason, position, isCostly }
}

function placeOf(places: ReadonlyMap<bigint, number>, part: bigint | null): number | null {
  return part === null ? null : (places.get(part) ?? null)
}

function sampleVariables(variables: CelFields, full: boolean): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables).map(([name, { shape }]) => [name, sampleOf(shape, full)]))
}

class PlacedFault extends CelFault {
  readonly part: bigint | null

  constructor(message: string, part: bigint | null) {
    super(message)
    this.part = part
  }
}

interface Program {
  readonly tree: CheckedTree
  run(values: Readonly<Record<string, unknown>>, functions: 'real' | 'sampled'): unknown
  runShared(values: SharedVariables): unknown
}

function programOf(
  source: string,
  { variables, functions = [], result }: CelDeclaration,
  places: Map<bigint, number>,
): Program {
  const parsed = parsedOf(source)
  for (const [part, offset] of Object.entries(parsed.sourceInfo?.positions ?? {})) places.set(BigInt(part), offset + 1)
  const tree = checkTree(parsed.expr, variables, {
    functions: new Map(functions.map((declared) => [declared.name, declared])),
    checkPattern: (pattern) => {
      const compiled = compilePattern(pattern)
      if (!compiled.ok) throw new CelRefusal(`Its pattern cannot be used. ${compiled.reason}`, null, true)
    },
  })
  const plans = {
    real: plan(environmentOf(functions, false), parsed),
    sampled: plan(environmentOf(functions, true), parsed),
  }
  // Encoding a large unused variable would cost more than most expressions do.
  const read = Object.fromEntries(Object.entries(variables).filter(([name]) => tree.names.has(name)))
  const answerOf: Answering = (inputs, kind) => {
    beginAccount()
    const answer = plans[kind](inputs)
    if (isCelError(answer)) throw new PlacedFault(`It cannot be decided: ${answer.message}.`, answer.exprId ?? null)
    return result === 'bool' && typeof answer === 'boolean' ? answer : decode(result, answer)
  }
  const named = Object.entries(read)
  return {
    tree,
    run: (values, kind) => {
      const encoded = encodeFields(read, new Map(Object.entries(values)))
      refuseTooMuch(tree, { lookup: (name) => encoded.get(name), size: sizeOf([...encoded.values()]) })
      return answerOf(Object.fromEntries(encoded), kind)
    },
    runShared: (values) => {
      const { inputs, size } = sharedInputs(named, values)
      refuseTooMuch(tree, { lookup: (name) => inputs[name], size })
      return answerOf(inputs, 'real')
    },
  }
}

type Answering = (inputs: Readonly<Record<string, CelInput>>, functions: 'real' | 'sampled') => unknown

function sharedInputs(fields: readonly (readonly [string, CelField])[], { read, encoded }: SharedVariables) {
  const inputs: Record<string, CelInput> = {}
  let size = 0
  for (const [name, field] of fields) {
    const known = encoded.get(name) ?? encodedVariable(name, field, read(name))
    encoded.set(name, known)
    if (known.value !== undefined) inputs[name] = known.value
    size += known.size
  }
  return { inputs, size }
}

/** @throws TypeError where it is not of the form */
function encodedVariable(name: string, field: CelField, value: unknown): EncodedVariable {
  const encoded = encodeFields({ [name]: field }, new Map([[name, value]])).get(name)
  return { value: encoded, size: 1 + sizeOf(encoded) }
}

function parsedOf(source: string): ReturnType<typeof parse> {
  try {
    return parse(source)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new CelRefusal(`It cannot be read: ${said.replace('<input>:', 'line ').slice(0, 200)}.`)
  }
}

interface Inputs {
  readonly lookup: (name: string) => unknown
  readonly size: number
}

function refuseTooMuch(tree: CheckedTree, { lookup, size }: Inputs): void {
  if (size > celLimits.input) throw new CelFault('It was given more than it may look at.')
  const turns = tree.turns(([name = '']) => lookup(name))
  if (turns > celLimits.turns)
    throw new CelFault(`Its loops would take ${turns} turns; ${celLimits.turns} are allowed.`)
}

/** Characters and entries. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  const members: readonly unknown[] = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : []
  return members.reduce<number>((total, member) => total + 1 + sizeOf(member), 0)
}
