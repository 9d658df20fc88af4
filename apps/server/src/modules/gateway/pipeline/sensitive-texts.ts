/**
 * What of a text is personal or secret under a policy, and the same text without it. Promises that the step that judges
 * a call and the record that keeps it look with the same detectors; it decides nothing about the call. Tested in
 * chat-retention.test.ts.
 */
import { createVault, redact } from '@parapet/detect'
import type { CanonicalCall } from '../call/call.ts'
import { type CallText, mapTexts, type Provenance } from '../call/texts.ts'
import type { SensitiveFinder } from '../detection/analyses.ts'
import { type Finding, findInAnswer } from '../detection/detectors.ts'
import { type Action, type EntityType, entityTypes } from '../policy/document.ts'
import type { EffectivePolicy } from '../policy/merge.ts'

type Rules = EffectivePolicy['sensitive_data']

export interface Judged {
  readonly finding: Finding
  readonly entity: EntityType
  readonly action: Action
  readonly location: string
}

/** All that the policy looks for in the text, with what it wants done. */
export function judge(
  { text, location, provenance }: CallText,
  rules: Rules,
  find: SensitiveFinder,
): readonly Judged[] {
  if (!inspects(rules, provenance)) return []
  return find(text).flatMap((finding) => {
    const entity = entityOf(finding)
    const { action, min_confidence: least } = rules.entities[entity]
    return finding.score < least ? [] : [{ finding, entity, action, location }]
  })
}

/** Whether the policy looks into texts of this origin. */
export function inspects(rules: Rules, provenance: Provenance): boolean {
  const role = provenance === 'tool_result' ? 'tool' : provenance === 'tool_description' ? 'system' : provenance
  return rules.roles.includes(role)
}

/** All kinds of secrets share one rule. */
export function entityOf({ detector, type }: Finding): EntityType {
  if (detector === 'secret') return 'SECRET'
  return entityTypes.find((known) => known === type) ?? 'SECRET'
}

/** Types of personal data that the policy redacts or blocks in a call. */
export const hiddenTypes = ({ entities }: Rules): readonly EntityType[] =>
  entityTypes.filter((type) => type !== 'SECRET' && isHidden(entities[type].action))

const isHidden = (action: Action): boolean => action === 'redact' || action === 'block'

/** The call without anything the policy redacts or blocks. Nothing can be restored from it. */
export function hideSensitive(call: CanonicalCall, rules: Rules, find: SensitiveFinder): CanonicalCall {
  const vault = createVault()
  return mapTexts(call, (piece) => {
    const hidden = judge(piece, rules, find).filter(({ action }) => isHidden(action))
    return redact(
      piece.text,
      hidden.map(({ finding }) => finding),
      vault,
    ).text
  })
}

/** A text of an answer without what the policy redacts or blocks there; placeholders of the call stay as they are. */
export function hideInAnswer(text: string, { output, sensitive_data }: EffectivePolicy): string {
  const personal = isHidden(output.sensitive_data) ? hiddenTypes(sensitive_data) : []
  const wanted = { personal, secrets: isHidden(output.secrets) }
  const found = [...findInAnswer(text, wanted)].sort((a, b) => a.start - b.start)
  const parts: string[] = []
  let done = 0
  for (const { start, end, type } of found) {
    if (start >= done) parts.push(text.slice(done, start), `⟦${type}⟧`)
    done = Math.max(done, end)
  }
  return [...parts, text.slice(done)].join('')
}
