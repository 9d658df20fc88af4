/**
 * Conditions written by tenants, in CEL (cel.dev). Promises that an expression is read completely before it may run, that
 * its work is bounded before it starts and not by a clock, and that it can neither change nor reach anything but the
 * variables it is given. It never guesses: what is not true or false is an error of its author. Tested in cel.test.ts.
 */
import { celEnv, isCelError, parse, plan } from '@bufbuild/cel'
import { compilePattern } from '@parapet/detect'
import { CelRefusal, type CheckedTree, checkTree } from './check.ts'
import { celLimits } from './limits.ts'
import { type CelFields, encodeFields, sampleOf } from './shape.ts'

export interface CelCondition {
  readonly source: string
  /** @throws CelFault when it cannot be decided: a field is absent, types do not fit, or it would take too long */
  holds(variables: Readonly<Record<string, unknown>>): boolean
}

export type CompiledCel =
  | { readonly ok: true; readonly condition: CelCondition }
  /** One sentence for the author of the expression. */
  | { readonly ok: false; readonly reason: string }

/** An expression that could not be decided for the values it was given. */
export class CelFault extends Error {}

/** Reads a condition over the variables and tries it, so that most mistakes show when it is saved. */
export function compileCel(source: string, variables: CelFields): CompiledCel {
  if (source.length > celLimits.source) return refused(`It has more than ${celLimits.source} characters.`)
  try {
    const condition = conditionOf(source, variables)
    // Once with all that may be absent, once without: who forgets to ask `has()` learns it here.
    for (const full of [true, false]) condition.holds(sampleVariables(variables, full))
    return { ok: true, condition }
  } catch (error) {
    if (error instanceof CelRefusal || error instanceof CelFault) return refused(error.message)
    throw error
  }
}

function refused(reason: string): CompiledCel {
  return { ok: false, reason }
}

function sampleVariables(variables: CelFields, full: boolean): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables).map(([name, { shape }]) => [name, sampleOf(shape, full)]))
}

/** Patterns run on the same linear engine as all patterns of tenants. */
const environment = celEnv({
  re2: {
    compile: (pattern) => {
      const compiled = compilePattern(pattern)
      if (!compiled.ok) throw new CelFault(compiled.reason)
      return compiled.pattern
    },
  },
})

function conditionOf(source: string, variables: CelFields): CelCondition {
  const parsed = parsedOf(source)
  const tree = checkTree(parsed.expr, variables, (pattern) => {
    const compiled = compilePattern(pattern)
    if (!compiled.ok) throw new CelRefusal(`Its pattern cannot be used. ${compiled.reason}`)
  })
  const evaluate = plan(environment, parsed)
  return {
    source,
    holds: (values) => {
      const encoded = encodeFields(variables, new Map(Object.entries(values)))
      refuseTooMuch(tree, encoded)
      const result = evaluate(Object.fromEntries(encoded))
      if (isCelError(result)) throw new CelFault(`It cannot be decided: ${result.message}.`)
      if (typeof result !== 'boolean') throw new CelFault('It is not a condition: it answers neither true nor false.')
      return result
    },
  }
}

function parsedOf(source: string): ReturnType<typeof parse> {
  try {
    return parse(source)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new CelRefusal(`It cannot be read: ${said.replace('<input>:', 'line ').slice(0, 200)}.`)
  }
}

function refuseTooMuch(tree: CheckedTree, encoded: ReadonlyMap<string, unknown>): void {
  if (sizeOf([...encoded.values()]) > celLimits.input) throw new CelFault('It was given more than it may look at.')
  const turns = tree.turns(([name = '']) => encoded.get(name))
  if (turns > celLimits.turns)
    throw new CelFault(`Its loops would take ${turns} turns; ${celLimits.turns} are allowed.`)
}

/** Characters and entries. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  const members: readonly unknown[] = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : []
  return members.reduce<number>((total, member) => total + 1 + sizeOf(member), 0)
}
