export const exploitationLevels = ['none', 'public poc', 'active'] as const
export const automatableLevels = ['no', 'yes'] as const
export const technicalImpactLevels = ['partial', 'total'] as const
export const missionLevels = ['low', 'medium', 'high'] as const

export type SsvcDecision = 'track' | 'track*' | 'attend' | 'act'

/** Decision points of CISA's coordinator table. */
export interface SsvcInput {
  readonly exploitation: (typeof exploitationLevels)[number]
  readonly automatable: (typeof automatableLevels)[number]
  readonly technicalImpact: (typeof technicalImpactLevels)[number]
  /** Mission prevalence and public well-being impact. */
  readonly mission: (typeof missionLevels)[number]
}

/**
 * CISA coordinator decision table 2.0.3 (CERT/CC SSVC). Rows: exploitation; groups: automatable × technical impact;
 * letters: mission and well-being. T track, S track*, A attend, X act.
 */
const rows = ['TTT TTS TTA TTA', 'TTS TSA TTA TSA', 'TTA TAX AAX AXX'] as const

const decisions: Readonly<Record<string, SsvcDecision>> = { T: 'track', S: 'track*', A: 'attend', X: 'act' }

/** Stakeholder-specific vulnerability decision by CISA's coordinator table. */
export function ssvcDecision(input: SsvcInput): SsvcDecision {
  const row = rows[exploitationLevels.indexOf(input.exploitation)]
  const group = 2 * automatableLevels.indexOf(input.automatable) + technicalImpactLevels.indexOf(input.technicalImpact)
  const letter = row?.split(' ')[group]?.[missionLevels.indexOf(input.mission)]
  const decision = letter === undefined ? undefined : decisions[letter]
  if (decision === undefined) throw new RangeError(`No SSVC decision for ${JSON.stringify(input)}`)
  return decision
}
