/** Columns that all tables of the module begin with. */
export const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
export const made = 'id uuid not null, created_at timestamptz(3) not null'
export const stamps = `${made}, version int not null, updated_at timestamptz(3) not null`
