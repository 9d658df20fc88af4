import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Assets, their external ids and relations, imports, and states of the graph. */
export const twinMigration: Migration = {
  id: 'cybertwins-0001-twin',
  sql: `
    create table cybertwins_asset (
      ${tenant},
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      kind text not null,
      name text not null,
      criticality int not null check (criticality between 1 and 5),
      crown_jewel boolean not null,
      value jsonb,
      owner_id uuid,
      environment text,
      exposure text not null check (exposure in ('internet', 'partner', 'internal', 'isolated')),
      entry_point boolean not null,
      data_classes text[] not null,
      properties jsonb not null,
      external_ids jsonb not null,
      vulnerabilities jsonb not null,
      controls jsonb not null,
      sources jsonb not null,
      first_seen timestamptz(3) not null,
      last_seen timestamptz(3) not null,
      stale_at timestamptz(3),
      status text not null check (status in ('discovered', 'active', 'stale', 'retired')),
      primary key (tenant_id, id)
    );
    create index cybertwins_asset_created_at on cybertwins_asset (tenant_id, created_at, id);
    create index cybertwins_asset_last_seen on cybertwins_asset (tenant_id, last_seen, id);
    create index cybertwins_asset_criticality on cybertwins_asset (tenant_id, criticality, id);
    create index cybertwins_asset_kind on cybertwins_asset (tenant_id, kind, created_at, id);
    create index cybertwins_asset_crown_jewel on cybertwins_asset (tenant_id, id) where crown_jewel;
    create index cybertwins_asset_stale_at on cybertwins_asset (tenant_id, stale_at)
      where status in ('discovered', 'active') and stale_at is not null;
    create index cybertwins_asset_vulnerabilities on cybertwins_asset using gin (vulnerabilities jsonb_path_ops);

    create table cybertwins_key (
      ${tenant},
      key text not null,
      asset_id uuid not null,
      primary key (tenant_id, key),
      foreign key (tenant_id, asset_id) references cybertwins_asset (tenant_id, id) on delete cascade
    );
    create index cybertwins_key_asset on cybertwins_key (tenant_id, asset_id);

    create table cybertwins_relation (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      source_id uuid not null,
      target_id uuid not null,
      kind text not null,
      technique text,
      p_override double precision check (p_override between 0 and 1),
      reason text,
      hours double precision check (hours >= 0),
      requires text,
      source text not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, source_id) references cybertwins_asset (tenant_id, id) on delete cascade,
      foreign key (tenant_id, target_id) references cybertwins_asset (tenant_id, id) on delete cascade,
      check (source_id <> target_id)
    );
    create unique index cybertwins_relation_ends
      on cybertwins_relation (tenant_id, source_id, target_id, kind, coalesce(technique, ''));
    create index cybertwins_relation_target on cybertwins_relation (tenant_id, target_id);
    create index cybertwins_relation_source on cybertwins_relation (tenant_id, source, id);

    create table cybertwins_import (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      format text not null,
      source text not null,
      authoritative boolean not null,
      counts jsonb not null,
      skipped jsonb not null,
      created_by uuid,
      primary key (tenant_id, id)
    );
    create index cybertwins_import_format on cybertwins_import (tenant_id, format, created_at);

    create table cybertwins_snapshot (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      label text,
      trigger text not null check (trigger in ('manual', 'import', 'scheduled', 'analysis')),
      nodes int not null,
      edges int not null,
      sha256 text not null,
      parent_id uuid,
      import_id uuid,
      blob_id uuid not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, blob_id) references blob (tenant_id, id)
    );
    create index cybertwins_snapshot_created_at on cybertwins_snapshot (tenant_id, created_at, id);
    create index cybertwins_snapshot_blob on cybertwins_snapshot (tenant_id, blob_id);
  `,
}
