/** Words of detection rules, each list once. */
export const ruleTypes = ['match', 'threshold', 'new_value', 'correlation', 'anomaly', 'absence'] as const
export type RuleType = (typeof ruleTypes)[number]

export const ruleSources = ['builtin', 'native', 'sigma'] as const
export const ruleStatuses = ['enabled', 'disabled', 'archived'] as const

/** Log sources of the product `parapet`. */
export const categories = [
  'agent_activity',
  'mcp_call',
  'mcp_tool_change',
  'shadow_ai',
  'gateway_request',
  'iam_audit',
  'kill_switch',
  'platform_event',
] as const
export type Category = (typeof categories)[number]

/** Correlation types of Sigma 2.1. */
export const correlationTypes = [
  'event_count',
  'value_count',
  'temporal',
  'temporal_ordered',
  'value_sum',
  'value_avg',
  'value_percentile',
] as const
export type CorrelationType = (typeof correlationTypes)[number]
