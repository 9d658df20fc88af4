/**
 * Looks at large texts in a thread before the guardrails are asked, so that one call's text holds up no other call. Small
 * ones are looked at where the first check asks for it: the journey would cost more. Promises that a look which fails makes
 * its checks undecided, and never a text without findings. Tested in look-ahead.test.ts.
 */
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { EvaluationContext, GuardedText } from '../engine/context.ts'
import { type KnownFindings, textsOf } from '../engine/facts.ts'
import type { LiveSet } from '../engine/live-set.ts'
import { type Looks, lookTask, mergedLooks, type TextsToLookAt } from '../engine/look.ts'
import { CheckFault } from '../engine/refusal.ts'

/** Characters above which texts are looked at in a thread. */
export const largeTexts = 8_192
const limitMs = 4_000

type Parts = Pick<Kernel, 'threads' | 'log'>

/** Undefined where nothing has to be looked at ahead. */
export function lookAhead(parts: Parts, set: LiveSet, context: EvaluationContext): Promise<KnownFindings> | undefined {
  const looks = looksOf(set, context)
  if (looks === null) return undefined
  const texts = textsIfLarge(context)
  return texts === null ? undefined : look(parts, { texts, stage: context.stage, ...looks })
}

/** Of the guardrails that are about the call; null for none. */
function looksOf(set: LiveSet, context: EvaluationContext): Looks | null {
  const wanted = set[context.stage].filter(
    ({ looks, target }) => looks.detectors.length + looks.patterns.length > 0 && (target === null || target(context)),
  )
  return wanted.length === 0 ? null : mergedLooks(wanted.map(({ looks }) => looks))
}

function textsIfLarge(context: EvaluationContext): readonly GuardedText[] | null {
  try {
    const texts = textsOf(context)
    return texts.reduce((sum, { text }) => sum + text.length, 0) > largeTexts ? texts : null
  } catch (error) {
    // More than may be looked at: each check that asks for it fails, and `on_error` decides.
    if (error instanceof CheckFault) return null
    throw error
  }
}

async function look({ threads, log }: Parts, input: TextsToLookAt): Promise<KnownFindings> {
  try {
    const { findings, matches } = await threads.run(lookTask, input, { limitMs })
    return {
      findings: new Map(input.detectors.map((detector, n) => [detector, findings[n] ?? []])),
      matches: new Map(input.patterns.map((source, n) => [source, matches[n] ?? []])),
    }
  } catch (error) {
    log.warn({ err: error }, 'texts could not be looked at for guardrails')
    return { findings: new Map(), matches: new Map(), failed: true }
  }
}
