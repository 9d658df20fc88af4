import { guardedInput, guardedOutput } from '../guards/guarded-steps.ts'
import type { CallWatch } from '../telemetry/watch.ts'
import type { Step } from './contract/step.ts'
import { admission } from './steps/01-admission.ts'
import { killSwitch } from './steps/02-kill-switch.ts'
import { policyResolution } from './steps/03-policy-resolution.ts'
import { rateAndBudget } from './steps/04-rate-and-budget.ts'
import { normalization } from './steps/05-normalization.ts'
import { injectionDetection } from './steps/06-injection-detection.ts'
import { sensitiveData } from './steps/07-sensitive-data.ts'
import { contentPolicy } from './steps/08-content-policy.ts'
import { cacheLookup } from './steps/09-cache-lookup.ts'
import { routing } from './steps/10-routing.ts'
import { upstreamCall } from './steps/11-upstream-call.ts'
import { outputInspection } from './steps/12-output-inspection.ts'
import { restoration } from './steps/13-restoration.ts'
import { auditAndAccounting } from './steps/14-audit-and-accounting.ts'
import type { PipelineParts } from './steps/parts.ts'

export interface Pipeline {
  /** Steps 1 to 13, in the order in which they run. A policy configures a step, never its position. */
  readonly answering: readonly Step[]
  /** Step 14, which runs for every call, whatever its outcome. */
  readonly recording: Step
  /** Told of every call. */
  readonly watch: CallWatch
}

export function createPipeline(parts: PipelineParts): Pipeline {
  return {
    answering: [
      admission(parts),
      killSwitch(parts),
      policyResolution(parts),
      rateAndBudget(parts),
      normalization(parts),
      injectionDetection(parts),
      sensitiveData(parts),
      guardedInput(contentPolicy(parts), parts),
      cacheLookup(parts),
      routing(parts),
      upstreamCall(parts),
      guardedOutput(outputInspection(parts), parts),
      restoration(parts),
    ],
    recording: auditAndAccounting(parts),
    watch: parts.watch,
  }
}
