export const stepNames = [
  'admission',
  'kill_switch',
  'policy_resolution',
  'rate_and_budget',
  'normalization',
  'injection_detection',
  'sensitive_data',
  'content_policy',
  'cache_lookup',
  'routing',
  'upstream_call',
  'output_inspection',
  'restoration',
  'audit_and_accounting',
] as const
export type StepName = (typeof stepNames)[number]
