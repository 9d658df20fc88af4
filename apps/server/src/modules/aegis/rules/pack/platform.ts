/** Shipped rules about kill switches, the audit log and backups. */
import { on, type PackRule, packRule } from './form.ts'

export const platformRules: readonly PackRule[] = [
  packRule({
    key: 'kill_switch_activated',
    name: 'Kill switch was activated',
    description: 'Calls of a model, an agent, a person or a route were stopped.',
    category: 'kill_switch',
    level: 'high',
    tags: ['ASI10'],
    detect: {
      selection: { channel: 'aegis.kill_switch.activated' },
      all: { scope: ['tenant', 'platform'] },
      condition: 'selection and not all',
    },
    groupBy: ['kill_switch_id'],
  }),
  packRule({
    key: 'kill_switch_of_tenant',
    name: 'All model calls were stopped',
    description: 'A kill switch of the whole tenant or platform was activated.',
    category: 'kill_switch',
    level: 'critical',
    tags: ['ASI10', 'ASI08'],
    detect: on('aegis.kill_switch.activated', { scope: ['tenant', 'platform'] }),
    groupBy: ['kill_switch_id'],
  }),
  packRule({
    key: 'kill_switch_ended_soon',
    name: 'Kill switch was ended within five minutes',
    description: 'A kill switch was ended shortly after its activation: make sure that its cause is gone.',
    category: 'kill_switch',
    level: 'low',
    tags: ['ASI10'],
    type: 'correlation',
    detect: [
      ['activated', on('aegis.kill_switch.activated')],
      ['ended', on('aegis.kill_switch.deactivated')],
    ],
    groupBy: ['kill_switch_id'],
    seconds: 300,
    correlation: { type: 'temporal_ordered' },
  }),
  packRule({
    key: 'audit_chain_broken',
    name: 'Audit log was tampered with',
    description: 'The audit log is not what was sealed.',
    category: 'platform_event',
    level: 'critical',
    tags: ['MCP08'],
    detect: on('admin.audit.tamper_detected'),
    groupBy: ['scope', 'reason'],
  }),
  packRule({
    key: 'backup_failed',
    name: 'Backup failed or is missing',
    description: 'A backup could not be made or verified, or one of the schedule is not there.',
    category: 'platform_event',
    level: 'medium',
    tags: [],
    detect: {
      selection: { channel: ['admin.backup.failed', 'admin.backup.missed'] },
      condition: 'selection',
    },
  }),
]
