import { Type } from 'typebox'
import type { Migration } from '../db/schema/migration.ts'
import { table } from '../db/table.ts'

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })

/** Legal holds, on all data of the tenant or a part of it. They say what must stay, so a restore leaves them alone. */
export const dataHold = table({
  name: 'data_hold',
  outlivesRestore: true,
  system: true,
  noun: 'legal hold',
  row: Type.Object({
    tenant_id: uuid,
    id: uuid,
    /** The proceeding that it is for. */
    matter: Type.String({ maxLength: 200 }),
    /** Of tables; empty for all. */
    categories: Type.Array(Type.String()),
    /** With `aliases`: the data subjects; both empty means all data, also data that belongs to no person. */
    user_ids: Type.Array(uuid),
    /** In lower case. */
    aliases: Type.Array(Type.String()),
    placed_by: Type.Union([uuid, Type.Null()]),
    placed_at: instant,
    released_by: Type.Union([uuid, Type.Null()]),
    released_at: Type.Union([instant, Type.Null()]),
  }),
  data: {
    category: 'legal_hold',
    subject: ['placed_by', 'released_by', 'user_ids'],
    basis: 'legal_obligation',
    retention: 'tenant',
    erasure: 'keep_pseudonymous',
  },
})
export type HoldRow = Type.Static<typeof dataHold.row>

export const dataRegistryTables = [dataHold] as const

export const dataRegistryMigrations: readonly Migration[] = [
  {
    id: 'kernel-0070-data-hold',
    sql: `
create table data_hold (
  tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
  id uuid not null,
  matter text not null,
  categories text[] not null,
  user_ids uuid[] not null,
  aliases text[] not null,
  placed_by uuid,
  placed_at timestamptz(3) not null,
  released_by uuid,
  released_at timestamptz(3),
  primary key (tenant_id, id)
);
create index data_hold_active on data_hold (tenant_id) where released_at is null;`,
  },
]
