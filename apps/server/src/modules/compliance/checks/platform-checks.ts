/** Checks of the audit log, backups, keys, kill switches and this module's own evidence. Tested in run-check.test.ts. */
import { defineCheck } from './define.ts'
import { dayMs, isOlder, itemOf, judgeEach } from './population.ts'

const daySeconds = 86_400
const oldestCheckpointMs = 600_000
const certificateDays = 14

export const platformChecks = [
  defineCheck({
    id: 'admin.audit_intact',
    version: 1,
    title: 'The hash chain of the audit log is verified and its checkpoint is recent',
    severity: 'critical',
    reads: [{ fact: 'admin.audit_chain' }],
    population: 'The audit log of the tenant',
    freshnessDays: 1,
    triggers: ['admin.audit.tamper_detected', 'admin.audit.verified'],
    claims: [
      ...['~iso-27001-2022 A.8.15', '~iso-27001-2022 A.5.33', '~owasp-asvs-5.0 V16.4.2', '~eu-ai-act Art. 12(1)'],
      ...['~soc2-tsc-2017 CC7.2', '~iso-42001-2023 A.6.2.8'],
    ],
    evaluate: ([chain], { atMs }) => {
      if (chain === undefined || chain.number('sealed') === 0) return { items: [] }
      const verified = chain.maybeFlag('verified')
      const checkpoint = chain.maybeText('checkpoint_at')
      const verifiedAt = chain.maybeText('verified_at')
      const reason =
        verified === false
          ? (chain.maybeText('reason') ?? 'is broken')
          : verified === null || verifiedAt === null || atMs - Date.parse(verifiedAt) > dayMs
            ? 'was not verified within a day'
            : checkpoint === null || (chain.number('pending') > 0 && atMs - Date.parse(checkpoint) > oldestCheckpointMs)
              ? 'has no recent checkpoint'
              : null
      return { items: [{ id: 'audit log', passed: reason === null, reason: reason ?? '' }] }
    },
  }),
  defineCheck({
    id: 'admin.backup_verified',
    version: 1,
    title: 'The newest verified backup is at most 7 days old',
    severity: 'high',
    reads: [{ fact: 'admin.backups' }],
    population: 'Backups that belong to the tenant',
    freshnessDays: 1,
    triggers: ['admin.backup.*'],
    claims: [...['iso-27001-2022 A.8.13', '~soc2-tsc-2017 A1.2', '~nist-csf-2.0 PR.DS-11', '~nist-csf-2.0 RC.RP-03']],
    evaluate: ([backups]) => {
      const verified = backups?.maybeNumber('newest_verified_seconds') ?? null
      const passed = verified !== null && verified <= 7 * daySeconds
      return { items: [{ id: 'newest verified backup', passed, reason: 'there is none of the last 7 days' }] }
    },
  }),
  defineCheck({
    id: 'gateway.kill_switch_ready',
    version: 1,
    title: 'Kill switches in force have a reason and none is forgotten',
    severity: 'medium',
    reads: [{ fact: 'aegis.kill_switches' }],
    population: 'Kill switches of the tenant in force',
    freshnessDays: 1,
    triggers: ['aegis.kill_switch.*'],
    claims: [
      '~nist-ai-rmf-1.0 MANAGE 2.4',
      '~nist-ai-600-1 GV-1.7-001',
      '~eu-ai-act Art. 14(4)',
      '~owasp-agentic-2026 ASI10',
    ],
    evaluate: ([switches], { atMs }) => ({
      items: (switches?.list('kill_switches') ?? []).map((one) => ({
        id: one.text('id'),
        passed: one.maybeText('expires_at') !== null || atMs - Date.parse(one.text('activated_at')) <= 7 * dayMs,
        reason: 'has been in force for more than 7 days without an end',
      })),
    }),
  }),
  defineCheck({
    id: 'admin.keys_rotated',
    version: 1,
    title: 'The data key of the tenant is not past its age',
    severity: 'medium',
    reads: [{ fact: 'admin.data_keys' }],
    population: 'The data key that encrypts new data; versions counted by the highest number, recounted one by one',
    freshnessDays: 1,
    triggers: ['admin.key.rotated'],
    claims: ['~iso-27001-2022 A.8.24', '~soc2-tsc-2017 CC6.1', '~owasp-asvs-5.0 V11.1.1'],
    evaluate: ([keys], { atMs }) => {
      const days = keys?.maybeNumber('max_days') ?? null
      return judgeEach(keys, (key) => {
        if (!key.flag('current')) return null
        const id = `version ${key.number('version')}`
        // The job that replaces keys runs once a day.
        const isOld = days !== null && isOlder(key.text('created_at'), atMs, days + 1)
        return itemOf(id, days === null ? 'is never replaced by its age' : isOld ? `is older than ${days} days` : null)
      })
    },
  }),
  defineCheck({
    id: 'admin.tls',
    version: 1,
    title: 'Certificates of identity providers are valid for more than 14 days',
    severity: 'high',
    reads: [{ fact: 'iam.sso_certificates' }],
    population: 'Active SAML connections, counted by their settings; recounted by their type',
    freshnessDays: 1,
    triggers: ['iam.sso_connection.*'],
    claims: ['~iso-27001-2022 A.8.24', '~nist-csf-2.0 PR.AA-03', '~soc2-tsc-2017 CC6.7'],
    evaluate: ([certificates], { atMs }) =>
      judgeEach(certificates, (one) => {
        const until = one.maybeText('expires_at')
        const isEnding = until === null || Date.parse(until) - atMs <= certificateDays * dayMs
        return itemOf(one.text('id'), isEnding ? `has no certificate for the next ${certificateDays} days` : null)
      }),
  }),
  defineCheck({
    id: 'compliance.evidence_current',
    version: 2,
    title: 'No evidence that supports a control has expired',
    severity: 'medium',
    reads: [{ fact: 'compliance.evidence' }],
    population: 'Evidence that people linked to controls, counted in the store; recounted by the links',
    freshnessDays: 1,
    triggers: ['compliance.evidence.*'],
    claims: ['~iso-27001-2022 A.5.28', '~iso-27001-2022 A.5.36', '~soc2-tsc-2017 CC4.1'],
    evaluate: ([evidence]) => {
      const linked = evidence?.number('linked') ?? 0
      const expired = evidence?.number('expired') ?? 0
      return {
        items: Array.from({ length: linked }, (_, index) =>
          itemOf(`evidence ${index + 1}`, index < expired ? 'has expired' : null),
        ),
        population: linked,
        recount: evidence?.number('linked_recount') ?? 0,
      }
    },
  }),
]
