import { type Channel, type ScanResult, scanPrompt } from '@parapet/detect'
import { type CallText, mapTexts, type Provenance } from '../../call/texts.ts'
import { errors } from '../../errors.ts'
import type { Action } from '../../policy/document.ts'
import type { EffectivePolicy } from '../../policy/merge.ts'
import type { CallState } from '../call-state.ts'
import { note } from '../findings.ts'
import type { InspectedTexts } from '../inspected-texts.ts'
import { allow, blockByPolicy, type Step, type StepOutcome } from '../step.ts'

const channelOf: Readonly<Record<Provenance, Channel>> = {
  user: 'user',
  system: 'system',
  assistant: 'model_output',
  tool_result: 'tool_result',
  tool_description: 'tool_description',
}

/** What a model reads in the place of a tool result that tried to give it orders. */
const withheld = '[The gateway removed this tool result: it contained instructions.]'

interface Hit {
  readonly piece: CallText
  readonly result: ScanResult
  readonly action: Action
}

/** Looks for instructions that do not belong where they stand, in every text the model would read. */
export function injectionDetection(texts: InspectedTexts): Step {
  return {
    n: 6,
    name: 'injection_detection',
    budgetMs: 1.5,
    onFailure: 'injection_detection',
    run: (state) => {
      const { injection: rules } = state.policy.effective
      if (!rules.enabled) return allow
      const hits = texts.of(state).flatMap((piece) => scan(state, piece, rules))
      return hits.length === 0 ? allow : decide(state, hits)
    },
  }
}

function scan(state: CallState, piece: CallText, rules: EffectivePolicy['injection']): readonly Hit[] {
  const result = scanPrompt(piece.text, {
    channel: channelOf[piece.provenance],
    flagAt: rules.flag_at,
    blockAt: rules.block_at,
  })
  state.injectionScore = Math.max(state.injectionScore, result.score)
  if (result.verdict === 'allow') return []
  const configured = actionFor(piece.provenance, rules)
  // Below the block threshold nothing more than a flag is justified.
  const action = result.verdict === 'flag' && configured !== 'allow' ? 'flag' : configured
  return [{ piece, result, action }]
}

function actionFor(provenance: Provenance, rules: EffectivePolicy['injection']): Action {
  if (provenance === 'tool_result') return rules.action_tool_result
  return provenance === 'system' ? rules.action_system : rules.action_user
}

function decide(state: CallState, hits: readonly Hit[]): StepOutcome {
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
  for (const { result } of shown) for (const family of result.families) state.patterns.add(family)
  if (blocking.length > 0) return refuse(state, blocking)
  const replaced = new Set(hits.filter(({ action }) => action === 'redact').map(({ piece }) => piece.location))
  if (replaced.size === 0) return { decision: 'flag' }
  state.call = mapTexts(state.call, ({ location, text }) => (replaced.has(location) ? withheld : text))
  return { decision: 'redact' }
}

function refuse(state: CallState, blocking: readonly Hit[]): StepOutcome {
  const names = [...state.patterns]
  state.blockedAt = blocking[0]?.piece.provenance ?? null
  const where = blocking.map(({ piece, result }) => ({
    detail: `Matched: ${result.families.join(', ')}.`,
    pointer: piece.location,
  }))
  return blockByPolicy(errors.promptInjection({ count: names.length, names }).at(where.slice(0, 20)))
}
