import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Kept content of a call. Apart from the log row, because it is removed when its retention period ends. */
export const requestPayloads = table({
  name: 'gateway_request_payload',
  row: strictObject({
    tenant_id: Uuid,
    id: Uuid,
    user_id: Uuid,
    sealed: Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM' }),
    words: Type.Unsafe<string>({ description: 'Full-text index of what is sealed; holds nothing a policy hides.' }),
    original: nullable(
      Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM; what the caller sent and got, where a policy keeps it.' }),
    ),
    created_at: Timestamp,
    expires_at: Timestamp,
  }),
  append: true,
  dueBy: ['expires_at'],
  noun: 'content',
  data: { category: 'model_call_content', subject: ['user_id'], retention: 'P3650D', erasure: 'delete' },
})
