import Type, { type Static } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { ChangeOrigin } from './origin.ts'
import { ChangeEntry } from './schemas.ts'

/** The revision last given: of the installation as `all`, of each scope under its tenant's id. */
export const configHeads = table({
  name: 'admin_config_head',
  scope: 'platform',
  key: ['scope'],
  row: Type.Object({ scope: Type.String(), revision: Type.Integer() }),
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})

/** Which revision each instance runs with. */
export const configNodes = table({
  name: 'admin_config_node',
  outlivesRestore: true,
  scope: 'platform',
  key: ['name'],
  row: Type.Object({ name: Type.String(), revision: Type.Integer(), seen_at: Timestamp }),
  data: { category: 'operation', subject: [], retention: 'PT1H', erasure: 'none' },
})

/** Every instance holds the values of all tenants in memory, hence `system`. */
export const settingRows = table({
  name: 'admin_setting',
  inTenantCopies: true,
  key: ['key'],
  system: true,
  row: Type.Object({
    tenant_id: Uuid,
    key: Type.String(),
    is_set: Type.Boolean(),
    value: Type.Unknown({ jsonb: true }),
    /** JSON of a secret value, encrypted. */
    sealed: nullable(Type.Unsafe<Uint8Array>(Type.Any())),
    digest: nullable(Type.String()),
    revision: Type.Integer(),
    updated_by: nullable(Uuid),
    updated_at: Timestamp,
  }),
  data: { category: 'configuration', subject: ['updated_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
export type SettingRow = Static<typeof settingRows.row>

export const configChanges = table({
  name: 'admin_config_change',
  noun: 'change-set',
  sorts: ['created_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    scope: oneOf('platform', 'tenant'),
    revision: Type.Integer(),
    comment: Type.String(),
    author: Uuid,
    origin: ChangeOrigin,
    keys: Type.Array(Type.String()),
    entries: Type.Array(ChangeEntry, { jsonb: true }),
    /** Base64 of encrypted secrets by key, as they were before; a rollback restores them. */
    sealed_before: Type.Record(Type.String(), Type.String(), { jsonb: true }),
    rolled_back_by: nullable(Uuid),
    created_at: Timestamp,
  }),
  data: { category: 'configuration', subject: ['author'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
export type ConfigChangeRow = Static<typeof configChanges.row>
