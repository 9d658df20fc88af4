/**
 * Rules whose alerts are opened by the module that finds the matter, through `openAlert`, because it knows more than an
 * event says. They can be disabled and suppressed as any other.
 */
import type { Severity } from '../../alerts/declared/words.ts'

interface DirectRule {
  readonly name: string
  readonly description: string
  readonly level: Severity
  readonly tags: readonly string[]
  readonly groupBy: readonly string[]
}

export const directRules = {
  agent_anomaly: {
    name: 'Agent behaves unlike itself',
    description: 'A detector found an anomaly of at least medium severity in the activity of an agent.',
    level: 'medium',
    tags: ['ASI10', 'AML.T0053'],
    groupBy: ['agent_id', 'detector', 'feature'],
  },
  agent_review_overdue: {
    name: 'Review of an agent is overdue',
    description: 'The review of an agent was not done before it was due.',
    level: 'low',
    tags: ['ASI03'],
    groupBy: ['agent_id'],
  },
  agent_drift: {
    name: 'Agent uses more than it declares',
    description:
      'Tools, models, destinations or data classes were seen in the activity of an agent that its registration does not name.',
    level: 'medium',
    tags: ['ASI02', 'ASI03'],
    groupBy: ['agent_id'],
  },
  shadow_service_banned: {
    name: 'Banned AI service is in use',
    description: 'Traffic to an AI service was found that the tenant has banned.',
    level: 'high',
    tags: ['LLM02', 'LLM03'],
    groupBy: ['service_id'],
  },
  shadow_service_high_risk: {
    name: 'New AI service of high risk',
    description: 'An AI service of high risk was found in use for the first time.',
    level: 'medium',
    tags: ['LLM03'],
    groupBy: ['service_id'],
  },
  shadow_mcp_server: {
    name: 'Unregistered MCP server is in use',
    description: 'Traffic to an MCP server was found that is not registered.',
    level: 'medium',
    tags: ['MCP09', 'ASI04'],
    groupBy: ['service_id'],
  },
  rule_too_many_groups: {
    name: 'Detection rule has too many groups',
    description: 'A rule had more groups than it may keep. The groups seen least recently were dropped.',
    level: 'medium',
    tags: [],
    groupBy: ['rule_id'],
  },
  rule_too_slow: {
    name: 'Detection rule was too slow',
    description: 'A rule took more than a millisecond for one event of a hundred and was disabled.',
    level: 'medium',
    tags: [],
    groupBy: ['rule_id'],
  },
} as const satisfies Readonly<Record<string, DirectRule>>

export type DirectRuleKey = keyof typeof directRules
