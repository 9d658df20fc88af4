/** Checks of agents and alerts. Tested in run-check.test.ts. */
import { defineCheck, type Item } from './define.ts'
import type { FactData } from './fact-data.ts'
import { itemOf, judgeEach } from './population.ts'

const loopEvents = ['aegis.alert.created', 'aegis.alert.updated', 'gateway.request.blocked']
const agentEvents = ['aegis.agent.*']
/** Agents and open alerts that their facts list at most. */
const mostListed = 500
const mostOpen = 100

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

/** Alerts that the fact counts and does not list. */
const counted = (passed: number, failed: number): readonly Item[] =>
  Array.from({ length: Math.max(0, passed) + Math.max(0, failed) }, (_, index) => ({
    id: `alert ${index + 1}`,
    passed: index >= failed,
    reason: late,
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
      const all = open + count('closed_30d')
      const items = listed(alerts?.list('open') ?? [])
      const failedListed = items.filter(({ passed }) => !passed).length
      const unlisted = counted(all - items.length - (failed - failedListed), failed - failedListed)
      // The newest open ones are listed too, by another statement.
      const recount = items.length < mostOpen ? { recount: items.length + count('closed_30d') } : {}
      return { items: [...items, ...unlisted], population: all, ...recount }
    },
  }),
  defineCheck({
    id: 'aegis.agents_owned',
    version: 2,
    title: 'Every active agent is owned by an active person',
    severity: 'high',
    reads: [{ fact: 'aegis.agent_controls' }, { fact: 'iam.people' }],
    population: 'Active agents of the registry, counted as all without those that are not active; recounted one by one',
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
    evaluate: ([agents, people]) => {
      const active = new Set((people?.list('items') ?? []).map((person) => person.text('id')))
      const isWhole = active.size === people?.number('total')
      return judgeEach(agents, (agent) => {
        const owner = agent.text('owner_user_id')
        // An owner outside of a list that was cut may be active.
        return itemOf(agent.text('id'), active.has(owner) || !isWhole ? null : 'is owned by nobody who is active')
      })
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
    version: 2,
    title: 'Every active agent has a classification under the EU AI Act that is newer than its last material change',
    severity: 'high',
    reads: [{ fact: 'aegis.agent_controls' }, { fact: 'compliance.classifications' }],
    population: 'Active agents of the registry, counted as all without those that are not active; recounted one by one',
    freshnessDays: 1,
    triggers: [...agentEvents, 'compliance.assessment.completed'],
    claims: ['~eu-ai-act Art. 6(4)', '~nist-ai-rmf-1.0 MAP 1.1', '~iso-42001-2023 A.5.2'],
    evaluate: ([agents, classifications]) => {
      const newest = new Map<string, string | null>()
      for (const one of classifications?.list('classifications') ?? [])
        if (!newest.has(one.text('agent_id'))) newest.set(one.text('agent_id'), one.maybeText('agent_sha256'))
      return judgeEach(agents, (agent) => {
        const classified = newest.get(agent.text('id'))
        if (classified === undefined) return itemOf(agent.text('id'), 'was never classified')
        const isSame = classified === agent.text('material_sha256')
        return itemOf(agent.text('id'), isSame ? null : 'has changed since it was classified')
      })
    },
  }),
]
