/** Checks of the gateway's policies, providers and decisions. Tested in run-check.test.ts. */
import { defineCheck, type Evaluation } from './define.ts'
import type { FactData } from './fact-data.ts'
import { isOlder, itemOf } from './population.ts'

const policyEvents = ['gateway.policy.*']
const population = 'Policies that are published, counted; recounted with their published versions'
const reviewDays = 365

/** Every policy in force that does not only watch, by what its protection says. */
function ofPolicies(policies: FactData | undefined, failing: (protection: FactData) => string | null): Evaluation {
  const published = policies?.list('policies') ?? []
  return {
    items: published.map((policy) => {
      const reason = policy.text('mode') === 'enforce' ? failing(policy.object('protection')) : 'does not enforce'
      return itemOf(`${policy.text('name')}@${policy.number('version')}`, reason)
    }),
    population: policies?.number('total') ?? 0,
    recount: published.length,
  }
}

const acts = (action: string): boolean => action === 'block' || action === 'redact'

export const gatewayChecks = [
  defineCheck({
    id: 'gateway.injection_blocking',
    version: 2,
    title: 'Every published policy blocks prompt injection',
    severity: 'critical',
    reads: [{ fact: 'gateway.policies' }],
    population,
    freshnessDays: 1,
    triggers: [...policyEvents, 'gateway.request.blocked'],
    claims: [
      ...[
        'owasp-llm-2025 LLM01:2025',
        '~owasp-agentic-2026 ASI01',
        '~eu-ai-act Art. 15(5)',
        '~nist-ai-rmf-1.0 MEASURE 2.7',
      ],
      ...['~iso-27001-2022 A.8.26', '~iso-42001-2023 A.6.2.6'],
    ],
    evaluate: ([policies]) =>
      ofPolicies(policies, (protection) => {
        const action = protection.text('injection_user')
        return action === 'block' ? null : `injection in user input: ${action}`
      }),
  }),
  defineCheck({
    id: 'gateway.pii_redaction',
    version: 2,
    title: 'Every published policy redacts or blocks sensitive data',
    severity: 'high',
    reads: [{ fact: 'gateway.policies' }],
    population,
    freshnessDays: 1,
    triggers: policyEvents,
    claims: [
      ...['~owasp-llm-2025 LLM02:2025', '~gdpr Art. 25(2)', '~gdpr Art. 5(1)(c)', '~iso-27001-2022 A.8.11'],
      ...['~iso-27001-2022 A.8.12', '~nist-ai-rmf-1.0 MEASURE 2.10'],
    ],
    evaluate: ([policies]) =>
      ofPolicies(policies, (protection) => {
        const action = protection.text('sensitive_data')
        return acts(action) ? null : `sensitive data in input: ${action}`
      }),
  }),
  defineCheck({
    id: 'gateway.output_filter',
    version: 2,
    title: 'Every published policy scans answers for secrets',
    severity: 'high',
    reads: [{ fact: 'gateway.policies' }],
    population,
    freshnessDays: 1,
    triggers: policyEvents,
    claims: ['~owasp-llm-2025 LLM05:2025', '~owasp-llm-2025 LLM02:2025', '~nist-ai-600-1 MG-3.2-005'],
    evaluate: ([policies]) =>
      ofPolicies(policies, (protection) => {
        const action = protection.text('output_secrets')
        return acts(action) ? null : `secrets in answers: ${action}`
      }),
  }),
  defineCheck({
    id: 'gateway.fail_closed',
    version: 2,
    title: 'No published policy lets calls through when a step fails',
    severity: 'high',
    reads: [{ fact: 'gateway.policies' }],
    population,
    freshnessDays: 1,
    triggers: policyEvents,
    claims: ['~owasp-asvs-5.0 V16.5.3', '~nist-ai-rmf-1.0 MEASURE 2.6'],
    evaluate: ([policies]) =>
      ofPolicies(policies, (protection) => {
        const open = protection.texts('fail_open')
        return open.length === 0 ? null : `lets calls through when these fail: ${open.join(', ')}`
      }),
  }),
  defineCheck({
    id: 'gateway.provider_terms',
    version: 2,
    title: 'Every enabled provider has residency, training and retention terms, reviewed within a year',
    severity: 'medium',
    reads: [{ fact: 'gateway.providers' }],
    population: 'Enabled providers that call a model, counted by their kind; recounted from their list',
    freshnessDays: 30,
    triggers: ['gateway.provider.*'],
    claims: [
      ...[
        '~gdpr Art. 44',
        '~gdpr Art. 28(1)',
        '~iso-27001-2022 A.5.20',
        '~iso-27001-2022 A.5.23',
        '~soc2-tsc-2017 CC9.2',
      ],
      ...['~nist-ai-rmf-1.0 GOVERN 6.1', '~iso-42001-2023 A.10.3', '~owasp-llm-2025 LLM03:2025'],
    ],
    evaluate: ([providers], { atMs }) => {
      const called = (providers?.list('providers') ?? []).filter(
        (provider) => provider.text('status') === 'enabled' && !provider.flag('offline'),
      )
      return {
        items: called.map((provider) => itemOf(provider.text('name'), missingTerm(provider, atMs))),
        population: providers?.number('total') ?? 0,
        recount: called.length,
      }
    },
  }),
]

function missingTerm(provider: FactData, atMs: number): string | null {
  const terms = provider.object('terms')
  if (provider.texts('residency').length === 0) return 'has no residency recorded'
  if (terms.maybeFlag('training_opt_out') === null) return 'has no record of whether it trains on prompts'
  if (terms.maybeNumber('retention_days') === null) return 'has no retention recorded'
  return isOlder(terms.maybeText('reviewed_at'), atMs, reviewDays) ? 'was not reviewed for a year' : null
}
