/** Checks of people and keys. Tested in run-check.test.ts. */
import { defineCheck, type Item } from './define.ts'

const dayMs = 86_400_000
const dormantDays = 90

/** People who passed and people who did not, where only their numbers are known. */
const numbered = (passed: number, failed: number, reason: string): readonly Item[] => [
  ...Array.from({ length: failed }, (_, index) => ({ id: `person ${index + 1}`, passed: false, reason })),
  ...Array.from({ length: passed }, (_, index) => ({ id: `person ${failed + index + 1}`, passed: true })),
]

export const iamChecks = [
  defineCheck({
    id: 'iam.mfa_enforced',
    version: 1,
    title: 'Every active person signs in with a second factor',
    severity: 'high',
    reads: [{ fact: 'iam.second_factors' }],
    population: 'Active accounts of people, counted; recounted as those with and those without a factor',
    freshnessDays: 1,
    claims: [
      ...['~iso-27001-2022 A.8.5', '~soc2-tsc-2017 CC6.1', 'owasp-asvs-5.0 V6.3.3', '~nist-csf-2.0 PR.AA-03'],
      ...['~gdpr Art. 32(1)', '~owasp-agentic-2026 ASI03'],
    ],
    evaluate: ([factors]) => {
      const [people, withFactor, without] = ['people', 'with_factor', 'without'].map(
        (name) => factors?.number(name) ?? 0,
      )
      return {
        items: numbered(withFactor ?? 0, without ?? 0, 'has no second factor'),
        population: people ?? 0,
        recount: (withFactor ?? 0) + (without ?? 0),
      }
    },
  }),
  defineCheck({
    id: 'iam.admins_phishing_resistant',
    version: 1,
    title: 'Every administrator has a second factor',
    severity: 'critical',
    reads: [{ fact: 'iam.privileged_accounts' }],
    population: 'Active people whose roles administer a module, without accounts kept for emergencies',
    freshnessDays: 1,
    claims: ['~iso-27001-2022 A.8.2', '~soc2-tsc-2017 CC6.3', '~nist-csf-2.0 PR.AA-03'],
    evaluate: ([privileged]) => {
      const accounts = privileged?.list('accounts') ?? []
      const people = accounts.filter((account) => !account.flag('emergency'))
      return {
        items: people.map((account) => ({
          id: account.text('user_id'),
          passed: account.flag('second_factor'),
          reason: 'administers without a second factor',
        })),
        population: (privileged?.number('total') ?? 0) - (accounts.length - people.length),
      }
    },
  }),
  defineCheck({
    id: 'iam.dormant_users',
    version: 1,
    title: 'No privileged account was unused for more than 90 days',
    severity: 'medium',
    reads: [{ fact: 'iam.privileged_accounts' }],
    population: 'Active people whose roles administer a module, without accounts kept for emergencies',
    freshnessDays: 1,
    claims: ['~iso-27001-2022 A.5.18', '~soc2-tsc-2017 CC6.2', '~nist-csf-2.0 PR.AA-05'],
    evaluate: ([privileged], { atMs }) => {
      const accounts = privileged?.list('accounts') ?? []
      const people = accounts.filter((account) => !account.flag('emergency'))
      return {
        items: people.map((account) => ({
          id: account.text('user_id'),
          passed: atMs - Date.parse(account.text('last_used_at')) <= dormantDays * dayMs,
          reason: `was unused for more than ${dormantDays} days`,
        })),
        population: (privileged?.number('total') ?? 0) - (accounts.length - people.length),
      }
    },
  }),
  defineCheck({
    id: 'iam.keys_expire',
    version: 1,
    title: 'Every API key expires and none is older than a year',
    severity: 'high',
    reads: [{ fact: 'iam.api_keys' }],
    population: 'API keys that work, counted; recounted by age',
    freshnessDays: 1,
    claims: ['~iso-27001-2022 A.5.17', '~soc2-tsc-2017 CC6.1', '~owasp-asvs-5.0 V13.3.4', '~owasp-agentic-2026 ASI03'],
    evaluate: ([keys]) => {
      const count = (name: string) => keys?.number(name) ?? 0
      const total = count('total')
      // A key may be both, and only the numbers are known: at least so many fail.
      const failed = Math.max(count('older'), count('without_expiry'))
      const ages = ['up_to_30_days', 'up_to_90_days', 'up_to_365_days', 'older'].map(count)
      return {
        items: [
          ...Array.from({ length: failed }, (_, index) => ({
            id: `key ${index + 1}`,
            passed: false,
            reason: 'does not expire, or is older than a year',
          })),
          ...Array.from({ length: Math.max(0, total - failed) }, (_, index) => ({
            id: `key ${failed + index + 1}`,
            passed: true,
          })),
        ],
        population: total,
        recount: ages.reduce((sum, number) => sum + number, 0),
      }
    },
  }),
  defineCheck({
    id: 'iam.admin_count',
    version: 1,
    title: 'There are at least two administrators, and not too many',
    severity: 'medium',
    reads: [{ fact: 'iam.privileged_accounts' }, { fact: 'iam.second_factors' }],
    population: 'The tenant: at least 2 administrators, at most 3 or 5 % of its people',
    freshnessDays: 1,
    claims: ['~iso-27001-2022 A.8.2', '~iso-27001-2022 A.5.3', '~soc2-tsc-2017 CC6.3'],
    evaluate: ([privileged, factors]) => {
      const count = privileged?.number('total') ?? 0
      const most = Math.max(3, Math.floor(0.05 * (factors?.number('people') ?? 0)))
      return {
        items: [
          {
            id: 'tenant',
            passed: count >= 2 && count <= most,
            reason: `has ${count} administrators; 2 to ${most} pass`,
          },
        ],
      }
    },
  }),
]
