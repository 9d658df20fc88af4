/** One call of a dry run. */
import type { EvaluationContext } from '../engine/context.ts'

export interface Item {
  readonly id: string
  readonly context: EvaluationContext
  /** Whether it was an attack, by the author of the sample or the resolver of the alert; null where neither says so. */
  readonly isAttack: boolean | null
  /** Its arguments and texts were not kept. */
  readonly isBare: boolean
}
