import { table } from '../../../../kernel/db/table.ts'
import { resource } from '../../../../kernel/resource/resource.ts'
import { HealthRow, RuleRow, StateRow, SuppressionRow, WatchRow } from './schema.ts'

const data = { category: 'security_control', subject: [], retention: 'tenant', erasure: 'none' } as const

export const rules = table({
  name: 'aegis_detection_rule',
  noun: 'detection rule',
  row: RuleRow,
  sorts: ['created_at', 'updated_at'],
  dueBy: ['channels', 'pack_version'],
  inTenantCopies: true,
  data,
})

export const ruleResource = resource({ table: rules, kind: 'detection_rule' })

export const suppressions = table({
  name: 'aegis_suppression',
  noun: 'suppression',
  row: SuppressionRow,
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

export const ruleHealth = table({ name: 'aegis_rule_health', row: HealthRow, key: ['rule_id'], data })

/** State of rules that look at several events; see the engine for its forms. */
export const ruleStates = table({
  name: 'aegis_rule_state',
  row: StateRow,
  key: ['rule_id', 'group_key'],
  dueBy: ['due_at', 'expires_at'],
  data: { ...data, category: 'security', retention: 'P1Y' },
})

export const watches = table({ name: 'aegis_watch', row: WatchRow, key: [], data })
