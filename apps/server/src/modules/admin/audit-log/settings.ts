import Type from 'typebox'
import { auditLegalHold } from '../../../kernel/audit/legal-hold.ts'
import { nullable } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'

/** Twelve months, in a leap year too: PCI DSS 4.0.1, 10.5.1. Six months would do for Articles 19 and 26 of the EU AI Act. */
const leastDays = 366

export const auditRetentionDays = defineSetting({
  key: 'audit.retention_days',
  schema: nullable(Type.Integer({ minimum: leastDays, maximum: 36_500 })),
  default: null,
  scope: 'platform',
  description:
    'Days after which whole segments of every audit log are removed, once their chain was verified; null keeps all. ' +
    'What remains goes on verifying, and the removal is an entry of its own.',
  dangerous: true,
})

export const auditLogSettings = [auditRetentionDays, auditLegalHold]
