import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Detection rules, their suppressions, and their state between events. */
export const detectionRulesMigration: Migration = {
  id: 'aegis-0010-detection-rules',
  sql: `
    create table aegis_detection_rule (
      ${tenant},
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      name text not null,
      description text,
      type text not null,
      source text not null,
      category text not null,
      definition jsonb not null,
      cooldown_seconds int not null,
      level text not null,
      tags text[] not null,
      status text not null check (status in ('enabled', 'disabled', 'archived')),
      pack_key text,
      pack_version text,
      source_text text,
      channels text[] not null,
      primary key (tenant_id, id)
    );
    create unique index aegis_detection_rule_pack_key on aegis_detection_rule (tenant_id, pack_key)
      where pack_key is not null;
    create index aegis_detection_rule_created_at on aegis_detection_rule (tenant_id, created_at, id);
    create index aegis_detection_rule_updated_at on aegis_detection_rule (tenant_id, updated_at, id);

    create table aegis_suppression (
      ${tenant},
      id uuid not null,
      rule_id uuid not null,
      match jsonb not null,
      reason text not null,
      expires_at timestamptz(3) not null,
      created_by uuid not null,
      created_at timestamptz(3) not null,
      hits int not null default 0,
      last_hit_at timestamptz(3),
      primary key (tenant_id, id),
      foreign key (tenant_id, rule_id) references aegis_detection_rule (tenant_id, id) on delete cascade
    );
    create index aegis_suppression_rule on aegis_suppression (tenant_id, rule_id);

    create table aegis_rule_health (
      ${tenant},
      rule_id uuid not null,
      events bigint not null default 0,
      matches bigint not null default 0,
      late bigint not null default 0,
      errors bigint not null default 0,
      groups int not null default 0,
      durations int[] not null,
      last_match_at timestamptz(3),
      primary key (tenant_id, rule_id),
      foreign key (tenant_id, rule_id) references aegis_detection_rule (tenant_id, id) on delete cascade
    );

    create table aegis_rule_state (
      ${tenant},
      rule_id uuid not null,
      group_key text not null,
      state jsonb not null,
      last_seen timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      due_at timestamptz(3),
      primary key (tenant_id, rule_id, group_key),
      foreign key (tenant_id, rule_id) references aegis_detection_rule (tenant_id, id) on delete cascade
    );
    create index aegis_rule_state_last_seen on aegis_rule_state (tenant_id, rule_id, last_seen);
    create index aegis_rule_state_due on aegis_rule_state (tenant_id, due_at) where due_at is not null;
    create index aegis_rule_state_expires on aegis_rule_state (tenant_id, expires_at);

    create table aegis_watch (
      ${tenant},
      watched_at timestamptz(3) not null,
      primary key (tenant_id)
    );
  `,
}
