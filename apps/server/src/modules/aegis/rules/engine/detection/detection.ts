/** A detection in the form of Sigma: selections by name, and the condition over them. Pure. Tested in detection.test.ts. */
import { RuleRefusal, segment } from '../base/refusal.ts'
import { compileCondition } from './condition.ts'
import { anyOf, type Compiled } from './predicate.ts'
import { compileSelection } from './selection.ts'

/** @throws RuleRefusal with a pointer below `pointer` */
export function compileDetection(detection: Readonly<Record<string, unknown>>, pointer: string): Compiled {
  const { condition, timeframe, ...named } = detection
  if (timeframe !== undefined) {
    const detail = 'A timeframe belongs to aggregations, which are not supported; write a correlation rule.'
    throw new RuleRefusal('timeframe', `${pointer}/timeframe`, detail)
  }
  const selections = new Map(
    Object.entries(named).map(([name, value]) => [name, compileSelection(value, pointer + segment(name))]),
  )
  const at = `${pointer}/condition`
  const conditions: readonly unknown[] = Array.isArray(condition) ? condition : [condition]
  if (conditions.length === 0) throw new RuleRefusal('condition', at, 'The condition is empty.')
  return anyOf(
    conditions.map((text) => {
      if (typeof text !== 'string') throw new RuleRefusal('condition', at, 'The detection needs a condition.')
      return compileCondition(text, selections, at)
    }),
  )
}
