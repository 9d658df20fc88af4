/** Checks of the request log, budgets and kill switches. Tested in run-check.test.ts and populations.test.ts. */
import { defineCheck } from './define.ts'
import { itemOf, judgeEach } from './population.ts'

/** Milliseconds until the slowest instance enforces a kill switch. */
const slowestMs = 5_000

export const trafficChecks = [
  defineCheck({
    id: 'gateway.traffic_logged',
    version: 1,
    title: 'Every model call has its row in the request log and its entry in the audit chain',
    severity: 'critical',
    reads: [{ fact: 'gateway.call_log' }],
    population:
      'Model calls of 24 whole hours in the request log; recounted by the hourly counts, which come from events',
    freshnessDays: 1,
    claims: [
      ...['~eu-ai-act Art. 12(1)', '~eu-ai-act Art. 26(6)', '~iso-27001-2022 A.8.15', '~soc2-tsc-2017 CC7.2'],
      ...['~iso-42001-2023 A.6.2.8', '~nist-csf-2.0 PR.PS-04'],
    ],
    evaluate: ([log]) => {
      const count = (name: string) => log?.number(name) ?? 0
      const calls = count('calls')
      const unlogged = count('unlogged')
      const missing = calls - count('audited')
      const isBroken = log?.maybeFlag('intact') === false
      const chain = isBroken ? [itemOf('audit chain', 'is broken')] : []
      return {
        items: [
          ...Array.from({ length: calls }, (_, index) =>
            itemOf(`call ${index + 1}`, index < missing ? 'has no entry in the audit log' : null),
          ),
          ...Array.from({ length: unlogged }, (_, index) =>
            itemOf(`entry ${index + 1}`, 'has no row in the request log'),
          ),
          ...chain,
        ],
        population: calls + unlogged + chain.length,
        recount: count('counted') + unlogged + chain.length,
      }
    },
  }),
  defineCheck({
    id: 'gateway.budgets',
    version: 1,
    title: 'Every agent is under a spending limit that refuses calls',
    severity: 'medium',
    reads: [{ fact: 'aegis.agent_controls' }, { fact: 'gateway.budgets' }],
    population: 'Active agents of the registry',
    freshnessDays: 1,
    triggers: ['aegis.agent.status_changed'],
    claims: ['owasp-llm-2025 LLM10:2025', '~owasp-agentic-2026 ASI08', '~nist-ai-rmf-1.0 MANAGE 2.4'],
    evaluate: ([agents, budgets]) => {
      const scopes = (budgets?.list('items') ?? [])
        .filter((budget) => budget.text('kind') === 'hard')
        .map((budget) => budget.list('scope'))
      // Rules of a scope narrow it together, so only one with a single rule covers whatever the agent does.
      const single = scopes.flatMap(([rule, ...others]) => (rule !== undefined && others.length === 0 ? [rule] : []))
      const ofTenant = single.some((rule) => rule.text('kind') === 'tenant')
      const named = new Set(
        single.filter((rule) => rule.text('kind') === 'agent').map((rule) => rule.maybeText('value') ?? ''),
      )
      return judgeEach(agents, (agent) => {
        const id = agent.text('id')
        return itemOf(id, ofTenant || named.has(id) ? null : 'has no hard budget')
      })
    },
  }),
  defineCheck({
    id: 'gateway.kill_switch_drill',
    version: 1,
    title: 'A kill switch was used or drilled in 90 days and was in force everywhere within 5 seconds',
    severity: 'high',
    reads: [{ fact: 'aegis.kill_switch_uses' }],
    population: 'Activations of the last 90 days; the tenant where there were none',
    freshnessDays: 90,
    triggers: ['aegis.kill_switch.*'],
    claims: [
      ...['~eu-ai-act Art. 14(4)', '~nist-ai-rmf-1.0 MANAGE 2.4', '~iso-42001-2023 A.8.4'],
      ...['~owasp-agentic-2026 ASI10', '~nist-csf-2.0 RS.MI-01'],
    ],
    evaluate: ([uses]) => {
      if (uses?.number('total') === 0 && uses.number('recount') === 0)
        return { items: [itemOf('tenant', 'used no kill switch in 90 days')] }
      return judgeEach(uses, (use) => {
        const isSlow = use.number('slowest_ms') > slowestMs
        const missed = use.number('instances') - use.number('enforced')
        if (missed > 0) return itemOf(use.text('id'), `${missed} instances did not say that they enforce it`)
        return itemOf(use.text('id'), isSlow ? `took ${Math.round(use.number('slowest_ms'))} ms` : null)
      })
    },
  }),
]
