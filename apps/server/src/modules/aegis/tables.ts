import Type from 'typebox'
import { table } from '../../kernel/db/table.ts'
import { Timestamp } from '../../kernel/schema/types.ts'
import { KillSwitchRow } from './schemas.ts'

/** The one enforcement table. Every instance holds the active rows of all tenants in memory, hence `system`. */
export const killSwitches = table({
  name: 'aegis_kill_switch',
  row: KillSwitchRow,
  sorts: ['created_at'],
  system: true,
  noun: 'kill switch',
  data: {
    category: 'security_control',
    subject: ['activated_by', 'deactivated_by'],
    retention: 'tenant',
    erasure: 'keep_pseudonymous',
  },
})

/** Instances that enforce the kill list; see lease.ts. */
export const instances = table({
  name: 'aegis_instance',
  row: Type.Object({ name: Type.String(), seen_at: Timestamp }),
  scope: 'platform',
  key: ['name'],
  data: { category: 'operation', subject: [], retention: 'PT1H', erasure: 'none' },
})
