/**
 * Classification of a call as it would be sent: the class of the data still found in its texts after redaction, or the
 * class its caller declares, whichever is higher. Nothing is searched twice, and nothing at all if neither the policy
 * nor a provider or a route sets a limit. Tested in policy-content.test.ts.
 */

import { uninspected } from '@parapet/detect'
import { textsOf } from '../call/texts/texts.ts'
import type { SensitiveFinder } from '../detection/finders.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { CompiledPolicy } from '../policy/compile.ts'
import type { EntityType } from '../policy/document.ts'
import { isOffline, type Target } from '../providers/provider.ts'
import { type Classification, classifications } from '../words/policy-words.ts'
import { entityOf, inspects, isUnread, type Judged, ruleOf } from './sensitive-texts.ts'

/**
 * Restricted: data that permanently identifies a person, grants access, moves money or concerns health. Internal: data
 * that only says where a machine is.
 */
const classOf: Readonly<Record<EntityType, Classification>> = {
  SECRET: 'restricted',
  URL_CREDENTIALS: 'restricted',
  CREDIT_CARD: 'restricted',
  NATIONAL_ID: 'restricted',
  US_SSN: 'restricted',
  UK_NINO: 'restricted',
  PASSPORT: 'restricted',
  MEDICAL_RECORD: 'restricted',
  HEALTH_INSURANCE: 'restricted',
  IP_ADDRESS: 'internal',
  MAC_ADDRESS: 'internal',
  // A text that could not be searched completely may contain anything.
  [uninspected]: 'restricted',
}
/** For all other personal data, and for entities defined by a tenant. */
const otherwise: Classification = 'confidential'

/** Whether any limit depends on the classification of the call. */
export function classMatters({ plan: { policy, targets } }: WithPlan): boolean {
  const limits = (target: Target): boolean =>
    limitOf(target) !== null || target.place?.conditions?.data_classes !== undefined
  return policy.effective.providers.max_classification !== null || targets.some(limits)
}

/** Types that stay in the call: those judged and let through, and those in texts that the policy does not inspect. */
export function typesLeft(state: WithPlan, judged: readonly Judged[], find: SensitiveFinder): ReadonlySet<EntityType> {
  const rules = state.plan.policy.effective.sensitive_data
  const left = new Set(judged.flatMap(({ entity, action }) => (isTaken(action) ? [] : [entity])))
  for (const { text, provenance } of textsOf(state.plan.call)) {
    if (rules.enabled && inspects(rules, provenance)) continue
    for (const finding of find(text)) {
      const entity = isUnread(finding) ? uninspected : entityOf(finding, rules)
      if (isUnread(finding) || finding.score >= ruleOf(rules, entity).min_confidence) left.add(entity)
    }
  }
  return left
}

const isTaken = (action: Judged['action']): boolean => action === 'redact' || action === 'block'

/** The class of the call; the lowest if nothing was found and none was declared. */
export function dataClassOf({ plan: { left, call } }: WithPlan): Classification {
  const declared = classifications.find((name) => name === call.metadata.classification) ?? 'public'
  const found = [...left].map((type) => classOf[type] ?? otherwise)
  return found.reduce((most, one) => (rank(one) > rank(most) ? one : most), declared)
}

/** Whether data of the class may be sent to the target. Calls to the built-in provider stay here. */
export function isCleared({ effective }: CompiledPolicy, target: Target, dataClass: Classification): boolean {
  if (isOffline(target.provider)) return true
  const limits = [effective.providers.max_classification, limitOf(target)]
  return limits.every((limit) => limit === null || rank(dataClass) <= rank(limit))
}

const limitOf = ({ provider }: Target): Classification | null => provider.maxClassification ?? null
const rank = (name: Classification): number => classifications.indexOf(name)
