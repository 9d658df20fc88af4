import { Type } from 'typebox'
import type { Migration } from '../db/schema/migration.ts'
import { table } from '../db/table.ts'

/** Digests of confirmations that were used, for as long as the tokens would be good. */
const usedConfirmTokens = table({
  name: 'used_confirm_token',
  row: Type.Object({
    tenant_id: Type.String({ format: 'uuid' }),
    id: Type.String(),
    expires_at: Type.String({ format: 'date-time' }),
  }),
  system: true,
  data: { category: 'security', subject: [], retention: 'P1D', erasure: 'none' },
})

export const secondPersonTables = [usedConfirmTokens] as const

export const secondPersonMigrations: readonly Migration[] = [
  {
    id: 'kernel-0045-used-confirm-token',
    sql: `
create table used_confirm_token (
  tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
  id text not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index used_confirm_token_expires_at on used_confirm_token (expires_at);`,
  },
]
