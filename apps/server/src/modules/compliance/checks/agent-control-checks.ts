/** Checks of guardrails, approvals, tools and shadow AI. Tested in run-check.test.ts and populations.test.ts. */
import { defineCheck } from './define.ts'
import { isOlder, itemOf, judgeEach } from './population.ts'

const agents = [{ fact: 'aegis.agent_controls' }]
const triggers = ['aegis.agent.status_changed', 'aegis.guardrail.rolled_out']
const triageDays = 14

export const agentControlChecks = [
  defineCheck({
    id: 'aegis.guardrails_bound',
    version: 1,
    title: 'Agents of tier 2 and above have enforced guardrails on input and output',
    severity: 'high',
    reads: agents,
    population: 'Active agents of tier 2 and above',
    freshnessDays: 1,
    triggers,
    claims: [
      ...['~owasp-llm-2025 LLM01:2025', '~owasp-llm-2025 LLM05:2025', '~owasp-agentic-2026 ASI01'],
      ...['~eu-ai-act Art. 9(2)', '~nist-ai-rmf-1.0 MANAGE 1.3', '~iso-42001-2023 A.6.2.4'],
    ],
    evaluate: ([fact]) =>
      judgeEach(fact, (agent) => {
        if (agent.number('risk_tier') < 2) return null
        const [input, output] = [agent.flag('input_guarded'), agent.flag('output_guarded')]
        const missing = [...(input ? [] : ['input']), ...(output ? [] : ['output'])]
        return itemOf(
          agent.text('id'),
          missing.length === 0 ? null : `has no enforced guardrail on ${missing.join(' and ')}`,
        )
      }),
  }),
  defineCheck({
    id: 'aegis.human_approval',
    version: 1,
    title: 'Irreversible tools of agents of tier 3 and above need an approval',
    severity: 'high',
    reads: agents,
    population: 'Active agents of tier 3 and above with tools that send outside, run code, pay or destroy',
    freshnessDays: 1,
    triggers,
    claims: [
      ...['~eu-ai-act Art. 14(1)', '~eu-ai-act Art. 14(4)', '~owasp-llm-2025 LLM06:2025', '~owasp-agentic-2026 ASI02'],
      ...['~nist-ai-rmf-1.0 MAP 3.5', '~gdpr Art. 22(3)'],
    ],
    evaluate: ([fact]) =>
      judgeEach(fact, (agent) => {
        if (agent.number('risk_tier') < 3 || agent.number('irreversible') === 0) return null
        const open = agent.texts('unapproved')
        return itemOf(
          agent.text('id'),
          open.length === 0 ? null : `tools without approval: ${open.slice(0, 5).join(', ')}`,
        )
      }),
  }),
  defineCheck({
    id: 'aegis.tools_pinned',
    version: 1,
    title: 'Every enabled MCP tool has an approved pin',
    severity: 'high',
    reads: [{ fact: 'aegis.enabled_tools' }],
    population: 'Tools of active MCP servers that may be called, counted by server; recounted one by one',
    freshnessDays: 1,
    triggers: ['aegis.mcp_tool.changed', 'aegis.mcp_server.scanned'],
    claims: [
      '~owasp-agentic-2026 ASI04',
      '~owasp-llm-2025 LLM03:2025',
      '~iso-42001-2023 A.10.3',
      '~nist-csf-2.0 ID.RA-09',
    ],
    evaluate: ([fact]) =>
      judgeEach(fact, (tool) =>
        itemOf(tool.text('tool'), tool.flag('pinned') ? null : `is ${tool.text('status')} without an approved pin`),
      ),
  }),
  defineCheck({
    id: 'aegis.shadow_ai_triaged',
    version: 1,
    title: 'No discovered AI service waits longer than 14 days for a decision',
    severity: 'medium',
    reads: [{ fact: 'aegis.shadow_ai_decisions' }],
    population: 'Discovered AI services, counted by status; recounted one by one',
    freshnessDays: 1,
    triggers: ['aegis.shadow_ai_ingestion.completed'],
    claims: [
      ...['~nist-ai-rmf-1.0 GOVERN 1.6', '~iso-27001-2022 A.5.9', '~iso-27001-2022 A.5.23', '~nist-csf-2.0 ID.AM-04'],
      ...['~iso-42001-2023 A.4.2'],
    ],
    evaluate: ([fact], { atMs }) =>
      judgeEach(fact, (service) => {
        const isOpen = ['discovered', 'under_review'].includes(service.text('status'))
        const isLate = isOpen && isOlder(service.text('first_seen_at'), atMs, triageDays)
        return itemOf(service.text('id'), isLate ? `waits longer than ${triageDays} days for a decision` : null)
      }),
  }),
]
