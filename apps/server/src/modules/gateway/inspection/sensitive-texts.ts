/**
 * Personal data and secrets in a text under a policy, and the same text without them. The step that judges a call and
 * the record that stores it use the same detectors; this module decides nothing about the call. Tested in
 * chat-retention.test.ts.
 */
import { createVault, redact, uninspected } from '@parapet/detect'
import type { CallText, Provenance } from '../call/texts/texts.ts'
import { findCustom } from '../detection/custom-entities.ts'
import { type Finding, findInAnswer } from '../detection/detectors.ts'
import type { SensitiveFinder } from '../detection/finders.ts'
import type { CompiledPolicy } from '../policy/compile.ts'
import type { Action, EntityType } from '../policy/document.ts'
import type { EffectivePolicy, EntityRule } from '../policy/merge.ts'
import { isBuiltinEntity } from '../policy/sections/entities.ts'
import { redactingRules, withoutDeniedText } from './denied-texts.ts'
import { isExempt } from './exempt-values.ts'
import type { Hidden } from './redaction-styles.ts'

type Rules = EffectivePolicy['sensitive_data']

export interface Judged extends Hidden {
  readonly entity: EntityType
  readonly action: Action
  readonly location: string
}

/** All findings of the policy in the text, with the action for each. */
export function judge(
  { text, location, provenance }: CallText,
  rules: Rules,
  find: SensitiveFinder,
): readonly Judged[] {
  if (!inspects(rules, provenance)) return []
  return find(text).flatMap((finding) => {
    if (isUnread(finding)) return [{ finding, ...unread(rules), location }]
    const entity = entityOf(finding, rules)
    const rule = ruleOf(rules, entity)
    if (finding.score < rule.min_confidence || isExempt(text.slice(finding.start, finding.end), rule)) return []
    return [{ finding, entity, action: rule.action, style: rule.style, location }]
  })
}

/** Whether a finding represents a text that could not be searched completely. */
export const isUnread = ({ type }: Pick<Finding, 'type'>): boolean => type === uninspected

/**
 * Such a text may contain anything that the policy hides, so all of it is hidden; if the policy hides nothing, it is
 * flagged.
 */
function unread(rules: Rules): Pick<Judged, 'entity' | 'action' | 'style'> {
  return { entity: uninspected, action: hiddenTypes(rules).length > 0 ? 'redact' : 'flag', style: 'placeholder' }
}

/** Whether the policy inspects texts of this origin. */
export function inspects(rules: Rules, provenance: Provenance): boolean {
  const role = provenance === 'tool_result' ? 'tool' : provenance === 'tool_description' ? 'system' : provenance
  return rules.roles.includes(role)
}

/** All kinds of secrets share one rule. */
export function entityOf({ detector, type }: Pick<Finding, 'detector' | 'type'>, { entities }: Rules): EntityType {
  if (detector === 'secret') return 'SECRET'
  return Object.hasOwn(entities, type) ? type : 'SECRET'
}

/** An entity that the policy does not name is hidden and never restored. */
export function ruleOf({ entities }: Rules, entity: EntityType): EntityRule {
  return entities[entity] ?? unnamed
}

const unnamed: EntityRule = { action: 'redact', min_confidence: 0, restore: false, style: 'placeholder', exempt: [] }

/** Minimum confidence of a finding under the policy. */
export function leastScore(rules: Rules): (finding: Pick<Finding, 'detector' | 'type'>) => number {
  return (finding) => ruleOf(rules, entityOf(finding, rules)).min_confidence
}

/** Whether the policy lists the value as harmless. */
export function isHarmless(finding: Pick<Finding, 'detector' | 'type'>, value: string, rules: Rules): boolean {
  return isExempt(value, ruleOf(rules, entityOf(finding, rules)))
}

/** Types of personal data that the policy redacts or blocks in a call, built in or its own. */
export function hiddenTypes(rules: Rules): readonly EntityType[] {
  return typesWhere(rules, isHidden)
}

/** Types of personal data that the policy only flags. */
export function flaggedTypes(rules: Rules): readonly EntityType[] {
  return typesWhere(rules, (action) => action === 'flag')
}

function typesWhere({ entities }: Rules, isMeant: (action: Action) => boolean): readonly EntityType[] {
  return Object.entries(entities).flatMap(([type, { action }]) => (type !== 'SECRET' && isMeant(action) ? [type] : []))
}

/** The policy's own entities that it redacts or blocks. */
export function hiddenCustom({ custom, entities }: Rules): Rules['custom'] {
  return custom.filter(({ name }) => isHidden(entities[name]?.action ?? 'allow'))
}

/** The policy's own entities that it only flags. */
export function flaggedCustom({ custom, entities }: Rules): Rules['custom'] {
  return custom.filter(({ name }) => entities[name]?.action === 'flag')
}

const isHidden = (action: Action): boolean => action === 'redact' || action === 'block'

/** The policy's own entities that count in a text of an answer. */
export function customIn(text: string, custom: Rules['custom'], rules: Rules): readonly Finding[] {
  return countedOf(text, findCustom(text, custom), rules)
}

function countedOf(text: string, found: readonly Finding[], rules: Rules): readonly Finding[] {
  const least = leastScore(rules)
  return found.filter(
    (finding) => finding.score >= least(finding) && !isHarmless(finding, text.slice(finding.start, finding.end), rules),
  )
}

/** One text without data that the policy redacts or blocks. Nothing can be restored from it. */
export function hideInText(piece: CallText, rules: Rules, find: SensitiveFinder, vault = createVault()): string {
  const hidden = judge(piece, rules, find).filter(({ action }) => isHidden(action))
  return redact(
    piece.text,
    hidden.map(({ finding }) => finding),
    vault,
  ).text
}

/**
 * A text of an answer without the data that the policy redacts or blocks there; placeholders of the call stay
 * unchanged.
 */
export function hideInAnswer(said: string, { effective, rules }: Pick<CompiledPolicy, 'effective' | 'rules'>): string {
  const { output, sensitive_data } = effective
  const text = withoutDeniedText(said, redactingRules(rules, 'output'))
  const personal = isHidden(output.sensitive_data) ? hiddenTypes(sensitive_data).filter(isBuiltinEntity) : []
  const minScore = Math.min(...Object.values(sensitive_data.entities).map(({ min_confidence: least }) => least))
  const wanted = { personal, secrets: isHidden(output.secrets), minScore }
  const custom = isHidden(output.sensitive_data) ? hiddenCustom(sensitive_data) : []
  const seen = [...findInAnswer(text, wanted), ...findCustom(text, custom)]
  const found = [...countedOf(text, seen, sensitive_data)].sort((a, b) => a.start - b.start)
  const parts: string[] = []
  let done = 0
  for (const { start, end, type } of found) {
    if (start >= done) parts.push(text.slice(done, start), `⟦${type}⟧`)
    done = Math.max(done, end)
  }
  return [...parts, text.slice(done)].join('')
}
