import { table } from '../../../kernel/db/table.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { ApprovalRow } from './schema.ts'

/** Topic that notifies every instance of each write of an approval, with its id. */
export const approvalTopic = 'aegis.approval'

export const approvals = table({
  name: 'aegis_approval',
  noun: 'approval',
  row: ApprovalRow,
  sorts: ['created_at', 'expires_at'],
  dueBy: ['due_at'],
  data: { category: 'security_control', subject: ['user_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const approvalResource = resource({ table: approvals, kind: 'approval', announces: approvalTopic })
