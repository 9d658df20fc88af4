import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const licensesMigration: Migration = {
  id: 'admin-0003-licenses',
  sql: `
    create table admin_license (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      jws text not null,
      kid text not null,
      license_id text not null,
      customer text not null,
      plan text not null,
      seats int,
      entitlements jsonb not null,
      not_before timestamptz(3) not null,
      expires_at timestamptz(3),
      grace_days int not null,
      installed_by uuid not null,
      warned_at timestamptz(3),
      expiry_told_at timestamptz(3),
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create unique index admin_license_license_id on admin_license (tenant_id, license_id);
    create table admin_license_day (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      day date not null,
      seats_used int not null,
      primary key (tenant_id, day)
    );
  `,
}
