import { table } from '../../../../kernel/db/table.ts'
import { resource } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { MetricRow } from './metrics-schema.ts'
import { GuardrailRow, VersionRow } from './schema.ts'

/** Topic that notifies every instance of each write of a guardrail. */
export const guardrailTopic = 'aegis.guardrail'

const data = { category: 'security_control', subject: [], retention: 'tenant', erasure: 'none' } as const

/** Every instance holds what is in force of all tenants in memory, hence `system`. */
export const guardrails = table({
  name: 'aegis_guardrail',
  noun: 'guardrail',
  row: GuardrailRow,
  sorts: ['created_at', 'name', 'priority'],
  system: true,
  inTenantCopies: true,
  data,
})

/** Versions of a guardrail, one for each change; a version never changes. */
export const guardrailVersions = table({
  name: 'aegis_guardrail_version',
  noun: 'version of a guardrail',
  row: VersionRow,
  system: true,
  appendOnly: true,
  inTenantCopies: true,
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

/** Counts of one version of a guardrail in one minute. */
export const guardrailMetrics = table({
  name: 'aegis_guardrail_metric',
  row: MetricRow,
  key: ['guardrail_id', 'version', 'minute'],
  dueBy: ['minute'],
  data: { ...data, category: 'security', retention: 'P90D' },
})

export const guardrailResource = resource({
  table: guardrails,
  kind: 'guardrail',
  announces: guardrailTopic,
  unique: {
    aegis_guardrail_slug: ({ slug }: GuardrailRow) => errors.exists({ what: `guardrail with the slug ${slug}` }),
  },
})
