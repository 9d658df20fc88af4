import { mapTexts, type Provenance } from '../../call/texts/texts.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import { explain } from '../../detection/explanation.ts'
import { messageOf } from '../../detection/joined-texts.ts'
import type { ScannedText } from '../../detection/looked-at.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { blockedBy, matchPatterns, note, passOpen } from '../../findings/findings.ts'
import { type Analyses, counts, longestLookMs } from '../../inspection/analyses.ts'
import type { Opinions } from '../../inspection/opinions.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Action } from '../../policy/document.ts'
import type { EffectivePolicy } from '../../policy/merge.ts'
import type { Given, Step } from '../contract/step.ts'
import { inTime } from '../progress/in-time.ts'
import { allow, blockByPolicy, type StepOutcome } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

/** Replacement text that a model reads instead of a tool result that tried to give it orders. */
const withheld = '[The gateway removed this tool result: it contained instructions.]'

interface Hit extends ScannedText {
  readonly action: Action
}

type Parts = Pick<PipelineParts, 'analyses'> & Partial<Pick<PipelineParts, 'opinions'>>

type Reads = 'facts' | 'life' | 'plan' | 'findings' | 'progress'
type Changed = 'plan' | 'findings'
type Call = Given<Reads, Changed>

/**
 * Looks for instructions that do not belong where they stand, in every text the model would read. Without `opinions`, as
 * in a dry run, no outside classifier is asked.
 */
export function injectionDetection({ analyses, opinions }: Parts): Step<Reads, Changed> {
  return {
    n: 6,
    name: 'injection_detection',
    budgetMs: 1.5,
    limitMs: longestLookMs,
    onFailure: 'injection_detection',
    run: (state) => {
      const rules = state.plan.policy.effective.injection
      if (!rules.enabled) return allow
      const scanned = analyses.injection(state)
      if (opinions !== undefined && Object.keys(rules.classifiers).length > 0)
        return withOpinions(state, { scanned, find: analyses.sensitive(state), opinions })
      if (scanned instanceof Promise) return inTime(state, 6, scanned).then((found) => judge(state, found))
      return judge(state, scanned)
    },
  }
}

interface Asking {
  readonly scanned: ReturnType<Analyses['injection']>
  readonly find: ReturnType<Analyses['sensitive']>
  readonly opinions: Opinions
}

async function withOpinions(state: Call, { scanned, find, opinions }: Asking): Promise<StepOutcome> {
  const own = await inTime(state, 6, scanned)
  const { injection, failure, normalization } = state.plan.policy.effective
  // No classifier can change the outcome of this call any more.
  if (own.filter(counts).some((hit) => actionOn(hit, injection) === 'block' && hit.result.verdict === 'block'))
    return judge(state, own)
  const raising = opinions.raise(state, own, await inTime(state, 6, find))
  const { texts, said, isMissing, isTooLong } = await inTime(state, 6, raising)
  state.write({ findings: { opinions: [...state.findings.opinions, ...said] } })
  if (isTooLong) {
    const action = normalization.on_oversize
    note(state, { rule: 'oversize', step: 'injection_detection', category: 'oversize', action })
    if (action === 'block')
      return blockByPolicy(errors.tooLargeToInspect({ what: 'a text longer than a classifier reads' }))
  }
  const outcome = judge(state, texts)
  if (outcome.decision === 'block') return outcome
  const judged = isTooLong && outcome.decision === 'allow' ? { decision: 'flag' as const } : outcome
  if (!isMissing) return judged
  if (failure.injection_detection === 'closed') throw new Error('A classifier that the policy wants gave no answer')
  passOpen(state, 'injection_detection')
  return { ...judged, failed: true }
}

function judge(
  state: WithPlan & WithFindings & Writes<WithPlan & WithFindings>,
  found: readonly ScannedText[],
): StepOutcome {
  const scanned = found.filter(counts)
  const highest = scanned.reduce((most, { result }) => Math.max(most, result.score), state.findings.injectionScore)
  state.write({ findings: { injectionScore: highest } })
  const suspect = scanned.filter(({ result }) => result.verdict !== 'allow')
  if (suspect.length === 0) return allow
  state.write({ findings: { explanation: explain(suspect) } })
  return decide(
    state,
    suspect.map((found) => ({ ...found, action: actionOn(found, state.plan.policy.effective.injection) })),
  )
}

/** Below the block threshold nothing more than a flag is justified. */
function actionOn({ piece, result }: ScannedText, rules: EffectivePolicy['injection']): Action {
  const configured = actionFor(piece.provenance, rules)
  return result.verdict === 'flag' && configured !== 'allow' ? 'flag' : configured
}

function actionFor(provenance: Provenance, rules: EffectivePolicy['injection']): Action {
  if (provenance === 'tool_result') return rules.action_tool_result
  return provenance === 'system' ? rules.action_system : rules.action_user
}

function decide(state: WithPlan & WithFindings & Writes<WithPlan & WithFindings>, hits: readonly Hit[]): StepOutcome {
  for (const { piece, result, action } of hits) {
    for (const family of result.families) {
      note(state, {
        rule: family,
        step: 'injection_detection',
        category: 'prompt_injection',
        action,
        location: piece.location,
      })
    }
  }
  const blocking = hits.filter(({ action }) => action === 'block')
  const shown = blocking.length > 0 ? blocking : hits
  matchPatterns(
    state,
    shown.flatMap(({ result }) => result.families),
  )
  if (blocking.length > 0) return refuse(state, blocking)
  const redacted = hits.filter(({ action }) => action === 'redact')
  const replaced = new Set(redacted.flatMap(({ piece }) => [piece.location, ...(piece.joined ?? [])]))
  if (replaced.size === 0) return { decision: 'flag' }
  const call = mapTexts(state.plan.call, ({ location, text }) =>
    replaced.has(location) || replaced.has(messageOf(location) ?? location) ? withheld : text,
  )
  state.write({ plan: { call } })
  return { decision: 'redact' }
}

function refuse(state: WithFindings & Writes<WithFindings>, blocking: readonly Hit[]): StepOutcome {
  const names = [...state.findings.patterns]
  blockedBy(state, blocking[0]?.piece.provenance ?? null)
  const where = blocking.map(({ piece, result }) => ({
    detail: `Matched: ${result.families.join(', ')}.`,
    pointer: piece.location,
  }))
  return blockByPolicy(errors.promptInjection({ count: names.length, names }).at(where.slice(0, 20)))
}
