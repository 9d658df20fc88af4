import type { FailureStep } from '../../policy/document.ts'
import type { StepOutcome } from '../progress/outcome.ts'
import type { StepName } from '../progress/step-names.ts'
import type { CallParts, Changes, PartName, WrittenPart } from './call-parts.ts'

/** The parts a step has declared to read, and its way to change those it has declared to write. */
export type Given<R extends PartName, W extends WrittenPart = never> = Pick<CallParts, R> & {
  readonly write: (changes: Changes<W>) => void
}

/** A step that reads or writes a part it has not declared does not compile. */
export interface Step<R extends PartName = PartName, W extends WrittenPart = WrittenPart> {
  readonly n: number
  readonly name: StepName
  /** p99 of the step's own work in milliseconds, for calls up to 8 KB. */
  readonly budgetMs: number
  /**
   * After this long a step that waits has failed, in milliseconds: of a store, a thread, a model. Ten times the budget and
   * never below 250 ms when left out; null where the wait has bounds of its own.
   */
  readonly limitMs?: number | null | ((call: Pick<CallParts, R>) => number)
  /** Effect of a failure of the step itself. */
  readonly onFailure: 'closed' | 'open' | FailureStep
  /** Whether a step that looks at content runs for this call under a policy that is off, too. */
  readonly evenWhenOff?: (call: Pick<CallParts, R>) => boolean
  readonly run: (call: Given<R, W>) => StepOutcome | Promise<StepOutcome>
}
