/** Words of results and evidence, in the order in which they are shown. */
export const results = [
  'not_assessed',
  'satisfied',
  'partially_satisfied',
  'not_satisfied',
  'not_applicable',
  'error',
] as const
export type Result = (typeof results)[number]

export const gradings = [
  'major_nonconformity',
  'minor_nonconformity',
  'observation',
  'opportunity',
  'good_practice',
] as const
export type Grading = (typeof gradings)[number]

export const evidenceKinds = [
  'check_run',
  'system_export',
  'document',
  'attestation',
  'external_result',
  'link',
] as const
export type EvidenceKind = (typeof evidenceKinds)[number]

export const severities = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

/** Of a run of a check. */
export const outcomes = ['pass', 'fail', 'error', 'not_evaluated'] as const
export type Outcome = (typeof outcomes)[number]
