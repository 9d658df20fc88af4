/** Steps that are done in the turn itself: values, conditions, effects, and loops over effects. */
import { CelFault } from '../../../kernel/cel/program.ts'
import type { Step, StepInputs } from './declared/definition.ts'
import { type Effect, isEffect, perform } from './effects.ts'
import { evaluated, filled, isTrue, type Scope } from './expressions.ts'
import type { StepOutcome } from './outcome.ts'

/** Items of one loop, all in one transaction. */
const mostItems = 100

export interface Inside {
  readonly step: Step
  readonly input: unknown
  readonly scope: Scope
}

/** @throws CelFault, and whatever the effect throws */
export async function workInside(effect: Effect, { step, input, scope }: Inside): Promise<StepOutcome> {
  const { type } = step
  if (type === 'condition') {
    const holds = isTrue((input as StepInputs['condition']).expression, scope)
    return { status: holds ? 'succeeded' : 'skipped', output: holds }
  }
  if (type === 'set') return { status: 'succeeded', output: (input as StepInputs['set']).values }
  if (type === 'for_each')
    return { status: 'succeeded', output: await loop(effect, input as StepInputs['for_each'], scope) }
  if (!isEffect(type)) throw new TypeError(`${type} is not done within a turn`)
  return { status: 'succeeded', output: await perform(effect, type, input) }
}

async function loop(effect: Effect, input: StepInputs['for_each'], scope: Scope): Promise<unknown> {
  const items = evaluated(input.items, scope)
  if (!Array.isArray(items)) throw new CelFault('`items` is no list.')
  if (items.length > mostItems) throw new CelFault(`\`items\` has ${items.length} items; ${mostItems} are allowed.`)
  const outputs: unknown[] = []
  for (const [index, item] of items.entries()) {
    const given = filled(input.with, { ...scope, item, index })
    outputs.push(await perform({ ...effect, stepId: `${effect.stepId}/${index}` }, input.type, given))
  }
  return outputs
}
