/** Checks of agents and alerts. Tested in run-check.test.ts. */
import { defineCheck, type Item } from './define.ts'
import type { FactData } from './fact-data.ts'

const loopEvents = ['aegis.alert.created', 'aegis.alert.updated', 'gateway.request.blocked']
const agentEvents = ['aegis.agent.*']
/** Agents and servers that the facts list at most. */
const mostListed = 500

interface Population {
  readonly active: readonly FactData[]
  readonly population: number
  readonly recount?: number
}

/** Active agents: counted by their owner, and recounted where all are listed. */
function activeAgents(agents: FactData | undefined): Population {
  const active = (agents?.list('agents') ?? []).filter((agent) => agent.text('status') === 'active')
  const population = agents?.number('active') ?? 0
  const isWhole = (agents?.number('total') ?? 0) <= mostListed
  return { active, population, ...(isWhole ? { recount: active.length } : {}) }
}

const late = 'was not resolved in time'

interface Tally {
  readonly passed: number
  readonly failed: number
  readonly reason: string
}

/** Items of a population that is told by its number alone. */
const counted = (noun: string, { passed, failed, reason }: Tally): readonly Item[] =>
  Array.from({ length: Math.max(0, passed) + Math.max(0, failed) }, (_, index) => ({
    id: `${noun} ${index + 1}`,
    passed: index >= failed,
    reason,
  }))

/** Open alerts by their ids, so that the evidence names those that it is about. */
const listed = (open: readonly FactData[]): readonly Item[] =>
  open.map((alert) => ({ id: alert.text('id'), passed: !alert.flag('breached'), reason: late }))

export const aegisChecks = [
  defineCheck({
    id: 'aegis.alert_sla',
    version: 1,
    title: 'At least 95 % of alerts are within their time',
    severity: 'high',
    reads: [{ fact: 'aegis.alerts' }],
    population: 'Open alerts, and alerts closed in the last 30 days',
    freshnessDays: 1,
    triggers: loopEvents,
    claims: ['~soc2-tsc-2017 CC7.3', '~iso-27001-2022 A.5.25', '~nist-ai-rmf-1.0 MANAGE 4.3', '~nist-csf-2.0 RS.MA-02'],
    passShare: 0.95,
    evaluate: ([alerts]) => {
      const count = (name: string) => alerts?.number(name) ?? 0
      const open = ['critical', 'high', 'medium', 'low', 'info'].reduce((sum, word) => sum + count(`open_${word}`), 0)
      const failed = count('open_breached') + count('closed_30d') - count('closed_in_sla_30d')
      const items = listed(alerts?.list('open') ?? [])
      const failedListed = items.filter(({ passed }) => !passed).length
      const unlisted = open + count('closed_30d') - items.length - (failed - failedListed)
      const rest = counted('alert', { passed: unlisted, failed: failed - failedListed, reason: late })
      return { items: [...items, ...rest] }
    },
  }),
  defineCheck({
    id: 'aegis.agents_owned',
    version: 1,
    title: 'Every active agent has a human owner',
    severity: 'high',
    reads: [{ fact: 'aegis.agents' }],
    population: 'Active agents of the registry, counted; recounted from their list',
    freshnessDays: 1,
    triggers: agentEvents,
    claims: [
      ...[
        '~nist-ai-rmf-1.0 GOVERN 1.6',
        '~nist-ai-rmf-1.0 GOVERN 2.1',
        '~iso-42001-2023 A.3.2',
        '~eu-ai-act Art. 26(2)',
      ],
      ...['~owasp-agentic-2026 ASI03'],
    ],
    evaluate: ([agents]) => {
      const { active, ...counts } = activeAgents(agents)
      const items = active.map((agent) => ({
        id: agent.text('id'),
        passed: agent.maybeText('owner_user_id') !== null,
        reason: 'has no owner',
      }))
      return { items, ...counts }
    },
  }),
  defineCheck({
    id: 'aegis.agents_reviewed',
    version: 1,
    title: 'No active agent is past its review or has drifted from what was reviewed',
    severity: 'medium',
    reads: [{ fact: 'aegis.agents' }],
    population: 'Active agents of the registry, counted; recounted from their list',
    freshnessDays: 1,
    triggers: agentEvents,
    claims: [
      '~nist-ai-rmf-1.0 GOVERN 1.5',
      '~iso-42001-2023 A.6.2.6',
      '~owasp-agentic-2026 ASI10',
      '~eu-ai-act Art. 26(5)',
    ],
    evaluate: ([agents]) => {
      const { active, ...counts } = activeAgents(agents)
      const items = active.map((agent) => ({
        id: agent.text('id'),
        passed: !agent.flag('review_overdue') && !agent.flag('has_drift'),
        reason: agent.flag('has_drift') ? 'has drifted' : 'is past its review',
      }))
      return { items, ...counts }
    },
  }),
  defineCheck({
    id: 'aegis.agents_classified',
    version: 1,
    title: 'Every active agent has a completed classification under the EU AI Act',
    severity: 'high',
    reads: [{ fact: 'aegis.agents' }, { fact: 'compliance.classifications' }],
    population: 'Active agents of the registry, counted; recounted from their list',
    freshnessDays: 1,
    triggers: [...agentEvents, 'compliance.assessment.completed'],
    claims: ['~eu-ai-act Art. 6(4)', '~nist-ai-rmf-1.0 MAP 1.1', '~iso-42001-2023 A.5.2'],
    evaluate: ([agents, classifications]) => {
      const { active, ...counts } = activeAgents(agents)
      const classified = new Set((classifications?.list('classifications') ?? []).map((one) => one.text('agent_id')))
      const items = active.map((agent) => ({
        id: agent.text('id'),
        passed: classified.has(agent.text('id')),
        reason: 'was never classified',
      }))
      return { items, ...counts }
    },
  }),
  defineCheck({
    id: 'aegis.agents_guarded',
    version: 1,
    title: 'Every active agent stands under enforced guardrails, on what it is told and what it answers',
    severity: 'high',
    reads: [{ fact: 'aegis.guardrails' }],
    population: 'Active agents, counted',
    freshnessDays: 1,
    triggers: [...agentEvents, 'aegis.guardrail.rolled_out'],
    claims: ['~owasp-agentic-2026 ASI02', '~nist-ai-rmf-1.0 MANAGE 4.1', '~iso-42001-2023 A.6.2.6'],
    evaluate: ([guardrails]) => {
      const [all, covered] = [guardrails?.number('agents') ?? 0, guardrails?.number('agents_covered') ?? 0]
      return { items: counted('agent', { passed: covered, failed: all - covered, reason: 'is not covered' }) }
    },
  }),
  defineCheck({
    id: 'aegis.mcp_tools_pinned',
    version: 1,
    title: 'Every tool of an active MCP server is approved and pinned, and no other is let through',
    severity: 'high',
    reads: [{ fact: 'aegis.mcp_servers' }],
    population: 'Active MCP servers of the registry, counted; recounted from their list',
    freshnessDays: 1,
    triggers: ['aegis.mcp_server.scanned', 'aegis.mcp_tool.changed'],
    claims: ['~owasp-agentic-2026 ASI04', '~nist-ai-rmf-1.0 GOVERN 6.1', '~iso-42001-2023 A.10.3'],
    evaluate: ([servers]) => {
      const active = (servers?.list('servers') ?? []).filter((server) => server.text('status') === 'active')
      const items = active.map((server) => ({
        id: server.text('slug'),
        passed: server.number('undecided') === 0 && server.text('default_action') === 'deny',
        reason: server.number('undecided') === 0 ? 'lets calls through by default' : 'has tools that nobody decided',
      }))
      const isWhole = (servers?.number('total') ?? 0) <= mostListed
      return { items, population: servers?.number('active') ?? 0, ...(isWhole ? { recount: active.length } : {}) }
    },
  }),
]
