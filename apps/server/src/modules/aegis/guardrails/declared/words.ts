/** Words of guardrails, each list once. */
export const guardrailKinds = ['input', 'output', 'tool', 'flow'] as const
export type GuardrailKind = (typeof guardrailKinds)[number]

export const guardrailActions = [
  'allow',
  'monitor',
  'redact',
  'transform',
  'hold',
  'deny',
  'quarantine_agent',
  'kill_session',
] as const
export type GuardrailAction = (typeof guardrailActions)[number]

export const guardrailStatuses = ['draft', 'monitor', 'enforce', 'disabled', 'archived'] as const
export type GuardrailStatus = (typeof guardrailStatuses)[number]

/** The outcome of a check that cannot be decided. */
export const errorRules = ['deny', 'allow', 'monitor'] as const
export type ErrorRule = (typeof errorRules)[number]

export const detectors = ['injection', 'pii', 'secret', 'pattern'] as const
export type DetectorKind = (typeof detectors)[number]

export const rateSubjects = ['agent', 'user', 'tool', 'session'] as const
export const rateMeasures = ['calls', 'bytes'] as const

/** Built-in information-flow rules. */
export const flowTemplates = [
  'lethal_trifecta',
  'untrusted_to_action',
  'restricted_to_unverified',
  'secret_leaves_origin',
] as const
export type FlowTemplate = (typeof flowTemplates)[number]

/** Trust in an MCP server, in ascending order. */
export const trustLevels = ['untrusted', 'reviewed', 'verified'] as const
export type TrustLevel = (typeof trustLevels)[number]

/** Combined decisions, the strictest first; `none` where nothing that is enforced matched. */
export const combinedDecisions = [
  'deny',
  'quarantine_agent',
  'kill_session',
  'hold',
  'modify',
  'allow',
  'none',
] as const
export type CombinedDecision = (typeof combinedDecisions)[number]
