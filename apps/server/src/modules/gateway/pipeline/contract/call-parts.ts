import type { WithLife } from '../../admission/call-life.ts'
import type { WithAttempts } from '../../attempts/call-attempts.ts'
import type { WithCache } from '../../cache/kept/call-cache.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { WithTimings } from '../../call/timings.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import type { WithMoney } from '../../money/call-money.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { WithProgress } from '../progress/call-progress.ts'

/** All that is known of one call on its way through the steps, each part in the words of its own folder. */
export interface CallParts
  extends WithFacts,
    WithLife,
    WithPlan,
    WithMoney,
    WithFindings,
    WithCache,
    WithAttempts,
    WithAnswer,
    WithTimings,
    WithProgress {}

export type PartName = keyof CallParts

/** Parts that change while the steps run. */
export type WrittenPart = Exclude<PartName, 'facts' | 'life'>

/** Members of parts with their new values. A part that is not declared cannot be among them. */
export type Changes<W extends WrittenPart = WrittenPart> = {
  readonly [P in W]?: Partial<CallParts[P]>
} & { readonly [P in Exclude<WrittenPart, W>]?: never }

/** One call. It lives as long as its call, and only the runner changes its parts. */
export interface CallState extends CallParts {
  readonly write: (changes: Changes) => void
}
