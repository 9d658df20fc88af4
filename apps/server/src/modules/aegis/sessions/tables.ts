import { table } from '../../../kernel/db/table.ts'
import { SessionRow } from './schema.ts'

export const sessions = table({
  name: 'aegis_session',
  noun: 'session',
  row: SessionRow,
  sorts: ['started_at', 'last_event_at'],
  dueBy: ['status', 'last_event_at'],
  data: { category: 'agent_activity', subject: ['user_id'], retention: 'P30D', erasure: 'keep_pseudonymous' },
})
