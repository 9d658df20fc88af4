/** Words that several resources of the module use. */
export const serviceKinds = ['business', 'application', 'component', 'external_provider'] as const
export const dependencyTypes = ['hard', 'soft', 'k_of_n'] as const
export const stepNames = ['detect', 'decide', 'restore', 'start', 'verify'] as const
/** Steps that need no dependency. */
export const preparingSteps: readonly string[] = ['detect', 'decide']
export const objectiveNames = ['rto', 'rpo', 'availability'] as const
export type ObjectiveName = (typeof objectiveNames)[number]
export const verdicts = ['met', 'not_met', 'uncertain', 'no_objective'] as const
export type VerdictName = (typeof verdicts)[number]

/** Where a figure comes from, the strongest first. */
export const evidenceRanks = ['incident', 'experiment', 'restore', 'simulation', 'declared'] as const
export type EvidenceKind = (typeof evidenceRanks)[number]

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
