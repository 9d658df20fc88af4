/** Checks of people and keys. Tested in run-check.test.ts and populations.test.ts. */
import { defineCheck } from './define.ts'
import { isOlder, itemOf, judgeEach } from './population.ts'

const dormantDays = 90
const reviewDays = 90
const people = [{ fact: 'iam.people' }]
const administrators = 'Active people whose roles administer a module, without accounts kept for emergencies'

const peopleChecks = [
  defineCheck({
    id: 'iam.mfa_enforced',
    version: 2,
    title: 'Every active person signs in with a second factor',
    severity: 'high',
    reads: people,
    population:
      'Active accounts of people, counted as all people without those who are not active; recounted as they are listed',
    freshnessDays: 1,
    triggers: ['iam.credential.changed', 'iam.user.role_changed'],
    claims: [
      ...['~iso-27001-2022 A.8.5', '~soc2-tsc-2017 CC6.1', 'owasp-asvs-5.0 V6.3.3', '~nist-csf-2.0 PR.AA-03'],
      ...['~gdpr Art. 32(1)', '~owasp-agentic-2026 ASI03'],
    ],
    evaluate: ([fact]) =>
      judgeEach(fact, (person) =>
        itemOf(person.text('id'), person.flag('second_factor') ? null : 'has no second factor'),
      ),
  }),
  defineCheck({
    id: 'iam.admins_phishing_resistant',
    version: 2,
    title: 'Every administrator signs in with a passkey or a hardware key',
    severity: 'critical',
    reads: people,
    population: administrators,
    freshnessDays: 1,
    triggers: ['iam.credential.changed', 'iam.user.role_changed'],
    claims: ['~iso-27001-2022 A.8.2', '~soc2-tsc-2017 CC6.3', '~nist-csf-2.0 PR.AA-03'],
    evaluate: ([fact]) =>
      judgeEach(fact, (person) => {
        if (!person.flag('administers') || person.flag('emergency')) return null
        return itemOf(person.text('id'), person.flag('passkey') ? null : 'administers without a passkey')
      }),
  }),
  defineCheck({
    id: 'iam.dormant_users',
    version: 2,
    title: 'No active account was unused for more than 90 days',
    severity: 'medium',
    reads: people,
    population: 'Active accounts of people, without accounts kept for emergencies',
    freshnessDays: 1,
    claims: ['~iso-27001-2022 A.5.18', '~soc2-tsc-2017 CC6.2', '~nist-csf-2.0 PR.AA-05'],
    evaluate: ([fact], { atMs }) =>
      judgeEach(fact, (person) => {
        if (person.flag('emergency')) return null
        const isUnused = isOlder(person.text('last_used_at'), atMs, dormantDays)
        return itemOf(person.text('id'), isUnused ? `was unused for more than ${dormantDays} days` : null)
      }),
  }),
  defineCheck({
    id: 'iam.admin_count',
    version: 2,
    title: 'There are at least two administrators, and not too many',
    severity: 'medium',
    reads: people,
    population: 'The tenant: at least 2 administrators, at most 3 or 5 % of its people',
    freshnessDays: 1,
    triggers: ['iam.credential.changed', 'iam.user.role_changed'],
    claims: ['~iso-27001-2022 A.8.2', '~iso-27001-2022 A.5.3', '~soc2-tsc-2017 CC6.3'],
    evaluate: ([fact]) => {
      const {
        items,
        population = 0,
        recount = 0,
      } = judgeEach(fact, (person) => (person.flag('administers') ? itemOf(person.text('id'), null) : null))
      const most = Math.max(3, Math.floor(0.05 * (fact?.number('total') ?? 0)))
      const isInRange = population >= 2 && population <= most
      return {
        items: [itemOf('tenant', isInRange ? null : `has ${population} administrators; 2 to ${most} pass`)],
        population: 1,
        // A list that was cut, or counts that differ, cannot be judged.
        recount: recount === population && items.length === population ? 1 : 0,
      }
    },
  }),
]

const accessChecks = [
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
        items: Array.from({ length: Math.max(total, failed) }, (_, index) =>
          itemOf(`key ${index + 1}`, index < failed ? 'does not expire, or is older than a year' : null),
        ),
        population: total,
        recount: ages.reduce((sum, number) => sum + number, 0),
      }
    },
  }),
  defineCheck({
    id: 'iam.leavers_disabled',
    version: 1,
    title: 'People who left have no access a day later',
    severity: 'high',
    reads: [{ fact: 'iam.leavers' }],
    population: 'People whose account was deactivated or removed by the directory',
    freshnessDays: 1,
    triggers: ['iam.user.suspended'],
    claims: [
      ...['~iso-27001-2022 A.5.18', '~iso-27001-2022 A.6.5', '~soc2-tsc-2017 CC6.2', '~nist-csf-2.0 PR.AA-05'],
      ...['~gdpr Art. 32(1)'],
    ],
    evaluate: ([fact], { atMs }) =>
      judgeEach(fact, (person) => {
        const sessions = person.number('live_sessions')
        const keys = person.number('live_keys')
        const hasAccess = !person.flag('disabled') || sessions > 0 || keys > 0
        const isLate = isOlder(person.text('left_at'), atMs, 1)
        return itemOf(
          person.text('id'),
          hasAccess && isLate ? `left and still has access: ${sessions} sessions, ${keys} keys` : null,
        )
      }),
  }),
  defineCheck({
    id: 'iam.access_review_current',
    version: 1,
    title: 'The last access review closed within 90 days, and none is overdue',
    severity: 'medium',
    reads: [{ fact: 'iam.access_reviews' }],
    population: 'The tenant with its last closed access review, and each open one',
    freshnessDays: 7,
    triggers: ['iam.access_review.*'],
    claims: ['~iso-27001-2022 A.5.18', '~soc2-tsc-2017 CC6.3', '~nist-csf-2.0 PR.AA-05', '~iso-27001-2022 A.8.2'],
    evaluate: ([fact], { atMs }) => {
      const reviews = fact?.list('items') ?? []
      const closed = reviews.flatMap((review) => review.maybeText('closed_at') ?? []).sort()
      const {
        items,
        population = 0,
        recount = 0,
      } = judgeEach(fact, (review) => {
        if (review.text('status') === 'closed') return null
        const isOverdue = Date.parse(review.text('due_at')) < atMs && review.number('undecided') > 0
        return itemOf(review.text('id'), isOverdue ? `is overdue with ${review.number('undecided')} items` : null)
      })
      const isCurrent = !isOlder(closed.at(-1) ?? null, atMs, reviewDays)
      return {
        items: [itemOf('tenant', isCurrent ? null : `closed no access review in ${reviewDays} days`), ...items],
        ...{ population: population + 1, recount: recount + 1 },
      }
    },
  }),
  defineCheck({
    id: 'iam.sso_enforced',
    version: 1,
    title: 'People of proven domains sign in by single sign-on only',
    severity: 'medium',
    reads: [{ fact: 'iam.sso_domains' }],
    population: 'Proven domains of active single sign-on connections, counted in their rows; recounted one by one',
    freshnessDays: 7,
    triggers: ['iam.sso_connection.*'],
    claims: ['~iso-27001-2022 A.8.5', '~iso-27001-2022 A.5.16', '~soc2-tsc-2017 CC6.1', '~nist-csf-2.0 PR.AA-03'],
    evaluate: ([fact]) =>
      judgeEach(fact, (one) =>
        itemOf(one.text('domain'), one.flag('enforced') ? null : 'allows sign-in by password beside single sign-on'),
      ),
  }),
]

export const iamChecks = [...peopleChecks, ...accessChecks]
