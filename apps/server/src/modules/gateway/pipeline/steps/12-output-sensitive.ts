/**
 * Personal data and secrets in the texts of an answer: values that the policy hides or refuses are taken out as they
 * arrive, values that it only flags are looked for in the released text. Promises that a flag holds no text back, and
 * that findings count as they do in a call: with the confidence that the policy wants, and without values that it knows
 * to be harmless. Tested in 12-output-inspection.test.ts and policy-output.test.ts.
 */

import { createInspectStream, type Finding, type InspectAction, type Vault } from '@parapet/detect'
import type { WithAnswer } from '../../call/call-answer.ts'
import { createRuleStream } from '../../detection/rule-stream.ts'
import {
  customIn,
  entityOf,
  flaggedCustom,
  flaggedTypes,
  hiddenTypes,
  isHarmless,
  leastScore,
} from '../../inspection/sensitive-texts.ts'
import { wasSentInClear } from '../../inspection/sent-in-clear.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Action } from '../../policy/document.ts'
import { isBuiltinEntity } from '../../policy/sections/entities.ts'
import type { Place, StoppingPiece } from './12-output-pieces.ts'
import { enforcedAction } from './12-output-record.ts'

/** Hides or refuses the values that the policy wants hidden or refused in answers. */
export function sensitiveFilter(
  state: WithPlan & WithAnswer,
  vault: Vault,
  { location, record }: Place,
): readonly StoppingPiece[] {
  const { output: rules, sensitive_data: data } = state.plan.policy.effective
  const detectors = [
    ...(rules.sensitive_data === 'allow' ? [] : ['pii' as const]),
    ...(rules.secrets === 'allow' ? [] : ['secret' as const]),
  ]
  if (detectors.length === 0) return []
  // A type that callers may send in the clear is no secret in an answer; and looking for it would hold back every
  // capital.
  const types = hiddenTypes(data).filter(isBuiltinEntity)
  const configured = ({ detector }: Finding): Action => (detector === 'secret' ? rules.secrets : rules.sensitive_data)
  const inClear: boolean[] = []
  const onMatch = (finding: Finding, value: string): InspectAction => {
    if (isHarmless(finding, value, data)) return 'ignore'
    inClear.push(wasSentInClear(state, finding, value))
    const action = enforcedAction(state, configured(finding))
    return action === 'allow' ? 'flag' : action
  }
  const stream = createInspectStream({ detectors, types, onMatch, vault, minScore: leastScore(data) })
  let blocked = false
  const take = (chunk: ReturnType<typeof stream.push>): string => {
    for (const finding of chunk.findings) {
      const category = entityOf(finding, data) === 'SECRET' ? 'secret' : 'personal_data'
      const hit = { rule: finding.type, category, action: configured(finding), location, entity: finding.type }
      record({ ...hit, inClear: inClear.shift() === true })
    }
    blocked ||= chunk.blocked !== undefined
    return chunk.text
  }
  return [
    {
      push: (text) => take(stream.push(text)),
      end: () => take(stream.end()),
      whole: (text) => take(stream.whole(text)),
      held: () => stream.held(),
      blocked: () => blocked,
    },
  ]
}

/** Looks on, and lets everything go as it comes. */
interface Watcher {
  push(text: string): void
  end(): void
  whole(text: string): void
}

interface Flagging extends Place {
  /** Characters at the beginning that were told of with the text before. */
  readonly told: number
}

/** Records the values that the policy only flags. It is the last filter, so it sees the released text. */
export function flagFilter(state: WithPlan, { location, record, told }: Flagging): readonly StoppingPiece[] {
  if (state.plan.policy.effective.output.sensitive_data === 'allow') return []
  const tell = ({ type, end }: Pick<Finding, 'type' | 'end'>): void => {
    if (end > told) record({ rule: type, category: 'personal_data', action: 'flag', location, entity: type })
  }
  const watchers = [...typesWatched(state, tell), ...customWatched(state, tell)]
  if (watchers.length === 0) return []
  let held = ''
  const all = (look: (watcher: Watcher) => void, text: string): string => {
    held = text
    for (const watcher of watchers) look(watcher)
    held = ''
    return text
  }
  return [
    {
      push: (text) => all((watcher) => watcher.push(text), text),
      end: () => all((watcher) => watcher.end(), ''),
      whole: (text) => all((watcher) => watcher.whole(text), text),
      held: () => held,
      blocked: () => false,
      looksOn: true,
    },
  ]
}

type Tell = (finding: Pick<Finding, 'type' | 'end'>) => void

/** Characters that are searched at once. Nobody waits for a flag, and names cost least where there is much to read. */
const searchedAtOnce = 2_048

function typesWatched({ plan: { policy } }: WithPlan, tell: Tell): readonly Watcher[] {
  const { sensitive_data: data } = policy.effective
  const types = flaggedTypes(data).filter(isBuiltinEntity)
  if (types.length === 0) return []
  const stream = createInspectStream({
    detectors: ['pii'],
    types,
    minScore: leastScore(data),
    onMatch: (finding, value) => (isHarmless(finding, value, data) ? 'ignore' : 'flag'),
  })
  let waiting = ''
  const take = ({ findings }: ReturnType<typeof stream.push>): void => findings.forEach(tell)
  return [
    {
      push: (text) => {
        waiting += text
        // Always the same number, so that the reported findings depend on the text alone and never on how it was split.
        for (; waiting.length >= searchedAtOnce; waiting = waiting.slice(searchedAtOnce))
          take(stream.push(waiting.slice(0, searchedAtOnce)))
      },
      end: () => {
        take(stream.push(waiting))
        take(stream.end())
        waiting = ''
      },
      whole: (text) => take(stream.whole(text)),
    },
  ]
}

function customWatched({ plan: { policy } }: WithPlan, tell: Tell): readonly Watcher[] {
  const { sensitive_data: data, streaming } = policy.effective
  const custom = flaggedCustom(data)
  if (custom.length === 0) return []
  const stream = createRuleStream<Finding>({
    window: streaming.window_chars,
    find: (piece) =>
      customIn(piece, custom, data).map((finding) => ({ start: finding.start, end: finding.end, rule: finding })),
    act: ({ rule: { type }, end }) => {
      tell({ type, end })
      return { kind: 'pass' }
    },
  })
  const end = (): void => void stream.end()
  const push = (text: string): void => void stream.push(text)
  return [{ push, end, whole: (text) => [push(text), end()] }]
}
