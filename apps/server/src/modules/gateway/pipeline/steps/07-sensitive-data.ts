import { withSignatures } from '../../call/texts/signed-thoughts.ts'
import { mapTexts, provenanceAt, textsOf } from '../../call/texts/texts.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import type { SensitiveFinder } from '../../detection/finders.ts'
import type { KnownFindings } from '../../detection/memory/known-findings.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { blockedBy, countEntity, note } from '../../findings/findings.ts'
import { longestLookMs } from '../../inspection/analyses.ts'
import { classMatters, typesLeft } from '../../inspection/data-class.ts'
import { hideGathered } from '../../inspection/hidden-call.ts'
import { placeholderLook, redactStyled } from '../../inspection/redaction-styles.ts'
import { isUnread, type Judged, judge } from '../../inspection/sensitive-texts.ts'
import { gatherSplit } from '../../inspection/split-values.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Step } from '../contract/step.ts'
import { failureProblem } from '../progress/failure.ts'
import { inTime } from '../progress/in-time.ts'
import { allow, blockByPolicy, type StepOutcome } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'plan' | 'findings' | 'progress'
type Changed = 'plan' | 'findings'

/** Finds personal data and secrets and puts placeholders in their place, the same one for equal values of the call. */
export function sensitiveData(parts: Pick<PipelineParts, 'analyses'>): Step<Reads, Changed> {
  return {
    n: 7,
    name: 'sensitive_data',
    budgetMs: 1,
    limitMs: longestLookMs,
    onFailure: 'sensitive_data',
    run: (state) => {
      const { enabled } = state.plan.policy.effective.sensitive_data
      if (!enabled) state.write({ plan: { keepable: state.plan.call } })
      if (!enabled && !classMatters(state)) return allow
      const find = parts.analyses.sensitive(state)
      const known = parts.analyses.known(state)
      const look = (found: SensitiveFinder) => (enabled ? hide(state, found, known) : onlyLook(state, found))
      return find instanceof Promise ? inTime(state, 7, find).then(look) : look(find)
    },
  }
}

function onlyLook(state: WithPlan & Writes<WithPlan>, find: SensitiveFinder): StepOutcome {
  state.write({ plan: { left: typesLeft(state, [], find) } })
  return allow
}

function hide(
  state: WithPlan & WithFindings & Writes<WithPlan & WithFindings>,
  found: SensitiveFinder,
  known: KnownFindings,
): StepOutcome {
  const rules = state.plan.policy.effective.sensitive_data
  const { call: whole, find, flagged } = gatherSplit(state.plan.call, rules, found)
  const judged: Judged[] = [...flagged]
  const {
    plan: { vault, snapshot },
  } = state
  const typed = placeholderLook(vault)
  const redactor = { vault, hashKey: snapshot.markingKey ?? null }
  // A text typed by the caller must never be given out as the stand-in of another value.
  if (Object.values(rules.entities).some(({ style }) => style === 'synthetic'))
    for (const { text } of textsOf(whole)) vault.synthetics.avoid(text)
  const redacted = mapTexts(whole, (piece) => {
    const here = judge(piece, rules, find)
    refuseUnread(here)
    if (piece.isName) {
      for (const one of here) judged.push(irreplaceable(one))
      return piece.text
    }
    // One by one: a text of megabytes has more findings than a call takes arguments.
    for (const one of here) judged.push(one)
    const hidden = here.filter(({ action }) => action === 'redact')
    if (hidden.length === 0 && !known.find(typed, piece.text)) return piece.text
    return redactStyled(piece.text, hidden, redactor)
  })
  const call = withSignatures(redacted, whole)
  record(state, judged)
  const blocked = judged.filter(({ action }) => action === 'block')
  if (classMatters(state)) state.write({ plan: { left: typesLeft(state, judged, find) } })
  state.write({ plan: { keepable: blocked.length === 0 ? call : hideGathered(whole, rules, find), call } })
  state.write({ findings: { redacted: state.findings.redacted || judged.some(({ action }) => action === 'redact') } })
  if (blocked[0] !== undefined) {
    blockedBy(state, provenanceAt(whole, blocked[0].location))
    return blockByPolicy(refusal(blocked))
  }
  if (state.findings.redacted) return { decision: 'redact' }
  return judged.some(({ action }) => action === 'flag') ? { decision: 'flag' } : allow
}

/**
 * A value that is redacted elsewhere is refused in a name: with a stand-in, the name would mean another tool to the
 * program that runs it.
 */
function irreplaceable(found: Judged): Judged {
  return found.action === 'redact' ? { ...found, action: 'block' } : found
}

/**
 * A text that could not be searched to its end is refused as if the step failed closed, even under a policy that fails
 * open: the author of the text can cause this at will.
 */
function refuseUnread(judged: readonly Judged[]): void {
  const isRefused = judged.some(({ finding, action }) => isUnread(finding) && action === 'redact')
  if (isRefused)
    throw failureProblem('sensitive_data', new Error('More in a text looks like personal data than is judged'))
}

function record(state: WithPlan & WithFindings & Writes<WithFindings>, judged: readonly Judged[]): void {
  state.write({ findings: { piiDetected: state.findings.piiDetected || judged.length > 0 } })
  const groups = new Map<string, { readonly first: Judged; count: number }>()
  for (const found of judged) {
    const key = `${found.finding.type}\n${found.action}\n${found.location}`
    const group = groups.get(key) ?? { first: found, count: 0 }
    group.count += 1
    groups.set(key, group)
  }
  for (const { first, count } of groups.values()) recordGroup(state, first, count)
}

function recordGroup(
  state: WithPlan & WithFindings,
  { finding, entity, action, location }: Judged,
  count: number,
): void {
  countEntity(state, finding.type, count)
  const category = entity === 'SECRET' ? 'secret' : 'personal_data'
  note(state, { rule: finding.type, step: 'sensitive_data', category, action, count, location })
}

function refusal(blocked: readonly Judged[]) {
  const names = [...new Set(blocked.map(({ finding }) => finding.type))]
  const where = blocked.map(({ finding, location }) => ({ detail: `${finding.type} is blocked.`, pointer: location }))
  return errors.sensitiveData({ names }).at(where.slice(0, 20))
}
