import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { stamps, tenant } from './columns.ts'

const definition = `
  name text not null,
  kind text not null,
  status text not null check (status in ('draft', 'active', 'paused', 'disabled', 'archived')),
  config jsonb not null,
  events text[] not null,
  filter text,
  ordered boolean not null`

/** Integrations with every version, the channels they hear of, and deliveries. */
export const integrationsMigration: Migration = {
  id: 'platform-0002-integrations',
  sql: `
    create table platform_integration (
      ${tenant}, ${stamps}, ${definition},
      sealed bytea,
      has_credentials boolean not null,
      previous_secret_until timestamptz(3),
      failing_since timestamptz(3),
      paused_until timestamptz(3),
      failures int not null,
      last_success_at timestamptz(3),
      last_error text,
      disabled_reason text,
      primary key (tenant_id, id)
    );
    create unique index platform_integration_live_name on platform_integration (tenant_id, lower(name))
      where status <> 'archived';
    create index platform_integration_created_at on platform_integration (tenant_id, created_at, id);
    create index platform_integration_name on platform_integration (tenant_id, name, id);

    create table platform_integration_version (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      integration_id uuid not null,
      number int not null,
      ${definition},
      created_by uuid,
      secrets_changed boolean not null,
      primary key (tenant_id, id),
      constraint platform_integration_version_number unique (tenant_id, integration_id, number),
      foreign key (tenant_id, integration_id) references platform_integration (tenant_id, id)
    );

    create table platform_subscription (
      ${tenant},
      id uuid not null,
      owner text not null check (owner in ('integration', 'workflow')),
      owner_id uuid not null,
      pattern text not null,
      primary key (tenant_id, id)
    );
    create index platform_subscription_owner on platform_subscription (tenant_id, owner, owner_id);

    create table platform_delivery (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      integration_id uuid,
      user_id uuid,
      kind text not null check (kind in ('event', 'notification', 'report', 'test', 'replay')),
      message_id text not null,
      channel text not null,
      event_id uuid,
      notification_id uuid,
      status text not null check (status in ('pending', 'delivering', 'retrying', 'delivered', 'dead', 'cancelled')),
      attempts jsonb not null,
      next_attempt_at timestamptz(3),
      tries int not null,
      message jsonb,
      primary key (tenant_id, id),
      foreign key (tenant_id, integration_id) references platform_integration (tenant_id, id)
    );
    create index platform_delivery_created_at on platform_delivery (tenant_id, created_at, id);
    create index platform_delivery_of on platform_delivery (tenant_id, integration_id, created_at, id);
    create index platform_delivery_open on platform_delivery (tenant_id, integration_id, created_at)
      where status in ('pending', 'delivering', 'retrying');
  `,
}
