import { Type } from 'typebox'
import type { Recorders } from '../recorders.ts'
import type { Migration } from '../schema/migration.ts'
import { type Sql, sql } from '../sql.ts'
import { table } from '../table.ts'

const data = { category: 'test', subject: [], retention: 'tenant', erasure: 'none' } as const
const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const tenantColumn = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Tables of the contract suite: one of each kind. */
export const notes = table({
  name: 'contract_note',
  row: Type.Object({
    tenant_id: Type.String(),
    id: Type.String(),
    title: Type.String(),
    rank: Type.Integer(),
    tags: nullable(Type.Array(Type.String())),
    body: nullable(Type.Record(Type.String(), Type.Unknown())),
    created_at: Type.String(),
  }),
  sorts: ['rank', 'created_at'],
  noun: 'note',
  data,
})

export const counters = table({
  name: 'contract_counter',
  row: Type.Object({ tenant_id: Type.String(), id: Type.String(), value: Type.Integer() }),
  system: true,
  appendAsks: true,
  data,
})

export const records = table({
  name: 'contract_record',
  row: Type.Object({ tenant_id: Type.String(), id: Type.Integer(), kind: Type.String(), text: Type.String() }),
  append: true,
  appendOnly: true,
  dueBy: ['kind'],
  data,
})

export const settings = table({
  name: 'contract_setting',
  row: Type.Object({ name: Type.String(), value: Type.String() }),
  scope: 'platform',
  key: ['name'],
  data,
})

export const contractMigrations: readonly Migration[] = [
  {
    id: 'contract-0001-tables',
    sql: `
create table contract_note (
  ${tenantColumn},
  id uuid not null,
  title text not null,
  rank integer not null,
  tags text[],
  body jsonb,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint contract_note_title unique (tenant_id, title)
);
create index contract_note_rank on contract_note (tenant_id, rank, id);
create index contract_note_created on contract_note (tenant_id, created_at, id);
create table contract_counter (
  ${tenantColumn},
  id uuid not null,
  value integer not null constraint contract_counter_positive check (value >= 0),
  primary key (tenant_id, id)
);
create sequence contract_record_id;
grant usage on sequence contract_record_id to parapet_app, parapet_log;
create table contract_record (
  ${tenantColumn},
  id bigint not null default nextval('contract_record_id'),
  kind text not null,
  text text not null,
  primary key (tenant_id, id)
);
create table contract_setting (
  name text primary key,
  value text not null
);`,
  },
]

export const contractSchema = {
  tables: [notes, counters, records, settings],
  migrations: contractMigrations,
} as const

const record = (kind: string, text: string): Sql =>
  sql`insert into contract_record (kind, text) values (${kind}, ${text})`

/** Recorders that write one row each, so that their order and fate can be seen. */
export const contractRecorders: Recorders = {
  audit: (_tx, action) => record('audit', action),
  event: (_tx, event, happened) =>
    record('event', `${event.channel} ${happened.map(({ subject }) => subject).join(' ')}`),
  job: (_tx, request) => record('job', request.kind),
  cancel: (_tx, jobId) => record('cancel', jobId),
  cancelled: (_tx, jobId) => record('cancelled', jobId),
  change: (_tx, topic, key) => record('change', `${topic} ${key}`),
}
