/** Columns that all tables of the module share, in SQL. */
export const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
export const stamps = `id uuid not null, version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null`
