import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Names of archived routes can be reused. A rotated key has two rows until the older one expires. */
export const routesMigration: Migration = {
  id: 'gateway-0004-routes',
  sql: `
    create table gateway_route (
      ${tenant},
      id uuid not null,
      name text not null,
      strategy text not null
        check (strategy in ('priority', 'weighted', 'least_latency', 'least_cost', 'least_busy', 'sticky')),
      targets jsonb not null,
      fallback_on text[] not null,
      retry jsonb not null,
      hedge jsonb,
      timeouts jsonb not null,
      sticky_key text not null,
      status text not null check (status in ('active', 'paused', 'archived')),
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create unique index gateway_route_name on gateway_route (tenant_id, name) where status <> 'archived';
    create index gateway_route_created_at on gateway_route (tenant_id, created_at, id);
    create index gateway_route_by_name on gateway_route (tenant_id, name, id);

    alter table gateway_provider_secret
      add column valid_until timestamptz(3),
      drop constraint gateway_provider_secret_tenant_id_provider_id_name_key;
    create unique index gateway_provider_secret_current on gateway_provider_secret (tenant_id, provider_id, name)
      where valid_until is null;
    create index gateway_provider_secret_over on gateway_provider_secret (tenant_id, valid_until)
      where valid_until is not null;

    alter table gateway_request add column route text;
    create index gateway_request_by_route on gateway_request (tenant_id, route, created_at, id) where route is not null;
  `,
}
