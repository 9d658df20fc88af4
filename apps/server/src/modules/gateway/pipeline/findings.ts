import type { Violation } from '../call/chat-schema.ts'
import type { CallState } from './call-state.ts'
import type { StepName } from './step.ts'

export interface Note {
  readonly rule: string
  readonly step: StepName
  readonly category: string
  readonly action: Violation['action']
  readonly count?: number
  /** JSON Pointer; the whole body when absent. */
  readonly location?: string
}

/** Rows shown of one call; a flood of findings must not flood the log. */
export const mostViolations = 100

/** Records what a rule found, without the matched text. */
export function note(state: CallState, found: Note): void {
  if (state.violations.length >= mostViolations) return
  const monitored = found.action === 'block' && state.policy.effective.mode === 'monitor'
  state.violations.push({
    rule_id: found.rule.slice(0, 128),
    step: found.step,
    category: found.category.slice(0, 64),
    action: monitored ? 'would_block' : found.action,
    severity: severities[found.action],
    count: found.count ?? 1,
    location: (found.location ?? '').slice(0, 256),
  })
}

const severities: Readonly<Record<Violation['action'], Violation['severity']>> = {
  allow: 'low',
  flag: 'low',
  redact: 'medium',
  block: 'high',
  would_block: 'high',
}
