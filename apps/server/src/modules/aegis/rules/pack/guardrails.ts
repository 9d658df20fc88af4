/** Shipped rules about guardrails and approvals of tool calls. */
import { on, type PackRule, packRule } from './form.ts'

const category = 'mcp_call'
const triggered = 'aegis.guardrail.triggered'

export const guardrailRules: readonly PackRule[] = [
  packRule({
    key: 'guardrail_blocked',
    name: 'Guardrail blocked a call',
    description: 'An enforced guardrail denied a call or ended a session.',
    category,
    level: 'medium',
    tags: ['ASI02'],
    detect: on(triggered, { enforced: true, action: ['deny', 'kill_session'] }),
    groupBy: ['guardrail_id', 'agent_id'],
  }),
  packRule({
    key: 'guardrail_quarantined',
    name: 'Guardrail took an agent out of service',
    description: 'An enforced guardrail quarantined an agent: look at its session before it is released.',
    category,
    level: 'high',
    tags: ['ASI10'],
    detect: on(triggered, { enforced: true, action: 'quarantine_agent' }),
    groupBy: ['agent_id'],
  }),
  packRule({
    key: 'approval_denied_repeatedly',
    name: 'Tool calls of an agent are denied again and again',
    description: 'People denied three tool calls of one agent within an hour.',
    category,
    level: 'high',
    tags: ['ASI02', 'ASI09'],
    type: 'threshold',
    detect: on('aegis.approval.decided', { decision: 'denied' }),
    groupBy: ['agent_id'],
    seconds: 3_600,
    threshold: 3,
  }),
]
