import { table } from '../../../kernel/db/table.ts'
import { ConversationRow, MessageRow, PinRow } from './conversation-schema.ts'

const data = {
  category: 'conversation',
  subject: ['user_id'],
  basis: 'contract',
  retention: 'P10Y',
  erasure: 'delete',
} as const

export const conversations = table({
  name: 'svc_ai_conversation',
  noun: 'conversation',
  row: ConversationRow,
  sorts: ['created_at', 'updated_at'],
  dueBy: ['expires_at'],
  data,
})

export const messages = table({ name: 'svc_ai_message', noun: 'message', row: MessageRow, data })

export const pins = table({ name: 'svc_ai_pin', noun: 'pinned fact', row: PinRow, data })
