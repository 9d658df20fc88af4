/**
 * Functions that expressions may call: those a module declares, and concatenation that charges for the copied elements,
 * since the engine's own makes a list of lists that takes ever longer to read. Tested in values.test.ts.
 */
import { type CelFunc, CelScalar, celEnv, celFunc, celList, listType, type plan } from '@bufbuild/cel'
import { compilePattern } from '@parapet/detect'
import { CelFault } from './faults.ts'
import { celLimits } from './limits.ts'
import { decode } from './result.ts'
import { type CelShape, encode, sampleOf } from './shape.ts'

/** A function of its values alone: it is called any number of times, also while an expression is read. */
export interface CelFunction {
  readonly name: string
  readonly parameters: readonly CelShape[]
  readonly result: CelShape
  /** Turns that a call counts for, against the bound of all loops; a turn takes about a microsecond. */
  readonly cost: number
  /** With values as JSON has them; must not wait. @throws CelFault for values it cannot take */
  call(...values: readonly unknown[]): unknown
}

type Environment = Parameters<typeof plan>[0]

/** @param sampled functions answer a sample of their result instead of being called */
export function environmentOf(functions: readonly CelFunction[], sampled: boolean): Environment {
  return celEnv({
    funcs: [...concatenation, ...functions.map((declared) => engineFunction(declared, sampled))],
    // Patterns run on the same linear engine as all patterns of tenants.
    re2: {
      compile: (pattern) => {
        const compiled = compilePattern(pattern)
        if (!compiled.ok) throw new CelFault(compiled.reason)
        return compiled.pattern
      },
    },
  })
}

function engineFunction({ name, parameters, result, call }: CelFunction, sampled: boolean): CelFunc {
  const types = parameters.map(() => CelScalar.DYN)
  return celFunc(name, types, CelScalar.DYN, (...values) => {
    const given = values.map((value, index) => decode(parameters[index] ?? 'dyn', value))
    return encode(result, sampled ? sampleOf(result, true) : call(...given))
  })
}

/** Expressions are evaluated one at a time and without a wait, so one account is enough. */
const account = { copied: 0 }

/** Begins the account of an evaluation. */
export function beginAccount(): void {
  account.copied = 0
}

function charge(size: number): void {
  account.copied += size
  if (account.copied > celLimits.copied) throw new CelFault('It puts more together than it may.')
}

const list = listType(CelScalar.DYN)

const concatenation: readonly CelFunc[] = [
  celFunc('_+_', [list, list], list, (left, right) => {
    charge(left.size + right.size)
    return celList([...left, ...right])
  }),
  celFunc('_+_', [CelScalar.STRING, CelScalar.STRING], CelScalar.STRING, (left, right) => {
    const size = left.length + right.length
    if (size > celLimits.result) throw new CelFault(`It makes a text of more than ${celLimits.result} characters.`)
    charge(size)
    return left + right
  }),
]
