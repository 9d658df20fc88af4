/** One call of a dry run. */
import type { EvaluationContext } from '../engine/context.ts'

export interface Item {
  readonly id: string
  readonly context: EvaluationContext
  /** Whether it was an attack, by the person who wrote the sample or resolved the alert; null where nobody says so. */
  readonly isAttack: boolean | null
  /** Its arguments and texts were not kept. */
  readonly isBare: boolean
}
