import { errors } from '../../errors.ts'
import type { Action } from '../../policy/document.ts'
import type { CallState } from '../call-state.ts'
import { note } from '../findings.ts'

export interface OutputHit {
  readonly rule: string
  readonly category: string
  readonly action: Action
  readonly location: string
  /** An entity was found: what kind. */
  readonly entity?: string
  /** What its author wants said. */
  readonly message?: string | null
}

/** Notes what was found in an answer. In a policy that only watches, a block is noted as what it would have been. */
export function recordHit(state: CallState, { entity, ...hit }: OutputHit): void {
  if (hit.action === 'block' && state.policy.effective.mode !== 'enforce')
    state.monitored ??= { n: 12, name: 'output_inspection', code: errors.outputBlocked.code }
  state.redacted ||= hit.action === 'redact'
  if (entity !== undefined) {
    state.piiDetected = true
    state.entities.set(entity, (state.entities.get(entity) ?? 0) + 1)
  }
  note(state, { ...hit, step: 'output_inspection' })
}

/** What is done: a policy that only watches blocks nothing. */
export function enforcedAction(state: CallState, action: Action): Action {
  return action === 'block' && state.policy.effective.mode !== 'enforce' ? 'flag' : action
}
