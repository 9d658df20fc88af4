import Type from 'typebox'
import { table } from '../../kernel/db/table.ts'
import { Uuid } from '../../kernel/http/schema.ts'

export const apiKeyDays = table({
  name: 'iam_api_key_day',
  key: ['key_id', 'day'],
  row: Type.Object({
    tenant_id: Uuid,
    /** The key's row. */
    key_id: Uuid,
    /** UTC, `YYYY-MM-DD`. */
    day: Type.String(),
    requests: Type.Integer(),
  }),
  data: { category: 'usage', subject: [], retention: 'P90D', erasure: 'none' },
})
