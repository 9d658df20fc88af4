import type { CanonicalCall, Part } from '../../call/call.ts'
import { isSealedThought } from '../../call/sealed-thoughts.ts'
import { keptParts } from '../../call/texts/kept-parts.ts'
import { type CallText, mapTexts, textsOf } from '../../call/texts/texts.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { note } from '../../findings/findings.ts'
import { mayBeInvisible, withoutInvisible } from '../../inspection/invisible-text.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Step } from '../contract/step.ts'
import { allow, blockByPolicy, type StepOutcome } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'life' | 'plan' | 'findings'
type Changed = 'plan'

/**
 * Decides what can be inspected at all, keeps the original texts for the detectors, strips invisible characters, and
 * starts the detectors early for a large call.
 */
export function normalization(parts: Pick<PipelineParts, 'analyses'>): Step<Reads, Changed> {
  return {
    n: 5,
    name: 'normalization',
    budgetMs: 0.5,
    onFailure: 'normalization',
    run: (state) => {
      const pieces = textsOf(state.plan.call)
      parts.analyses.keep(state, pieces)
      const { normalization: rules } = state.plan.policy.effective
      const oversized = pieces.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) > rules.max_inspect_bytes
      if (oversized)
        note(state, { rule: 'oversize', step: 'normalization', category: 'oversize', action: rules.on_oversize })
      if (oversized && rules.on_oversize === 'block')
        return blockByPolicy(errors.tooLargeToInspect({ what: `more than ${rules.max_inspect_bytes} bytes of text` }))
      const unread = uninspected(state, rules.uninspected_parts)
      if (unread?.decision === 'block') return unread
      const stripped = strip(state, pieces, rules.strip_invisible)
      parts.analyses.begin(state)
      return stripped ?? unread ?? (oversized ? { decision: 'flag' } : allow)
    },
  }
}

function uninspected(state: WithPlan & WithFindings, action: 'allow' | 'flag' | 'block'): StepOutcome | null {
  const unread = action === 'allow' ? null : unreadable(state.plan.call)
  if (unread === null) return null
  const { location, what } = unread
  note(state, { rule: 'uninspected-part', step: 'normalization', category: 'uninspected', action, location })
  if (action === 'flag') return { decision: 'flag' }
  return blockByPolicy(errors.contentPolicy({ names: [`${what} cannot be inspected`] }))
}

/** The first part of the call that has no text to look at. */
function unreadable(call: CanonicalCall): { readonly location: string; readonly what: string } | null {
  for (const [index, { parts, at }] of call.turns.entries()) {
    const [what] = parts.flatMap(withoutText)
    if (what !== undefined) return { location: `${at ?? `/messages/${index}`}/content`, what }
  }
  const [kept] = keptParts(call)
  if (kept !== undefined) return kept
  const hasTokens = call.embed?.inputs.some((input) => typeof input !== 'string') ?? false
  return hasTokens ? { location: '/input', what: 'a list of tokens' } : null
}

function withoutText(part: Part): readonly string[] {
  if (part.type === 'image') return ['an image']
  if (part.type === 'audio') return ['audio']
  if (isSealedThought(part)) return ['sealed thinking']
  return part.type === 'file' && part.text === null ? ['a file'] : []
}

function strip(
  state: WithPlan & WithFindings & Writes<WithPlan>,
  pieces: readonly CallText[],
  wanted: boolean,
): StepOutcome | null {
  if (!wanted || !pieces.some(({ text }) => mayBeInvisible.test(text))) return null
  let stripped = 0
  const visible = (text: string): string => {
    const { shown, hidden } = withoutInvisible(text)
    stripped += hidden
    return shown
  }
  state.write({ plan: { call: mapTexts(state.plan.call, ({ text }) => visible(text)) } })
  if (stripped === 0) return null
  note(state, {
    rule: 'invisible-text',
    step: 'normalization',
    category: 'invisible_text',
    action: 'redact',
    count: stripped,
  })
  return { decision: 'redact' }
}
