import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** Alerts, and everything that was done with them. */
export const alertsMigration: Migration = {
  id: 'aegis-0011-alerts',
  sql: `
    create table aegis_alert (
      ${tenant},
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      rule_id uuid not null,
      rule_version int not null,
      title text not null,
      severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'info')),
      status text not null
        check (status in ('new', 'triaged', 'in_progress', 'resolved', 'closed', 'suppressed')),
      resolution text,
      fingerprint text not null,
      group_by jsonb not null,
      count int not null check (count > 0),
      first_seen timestamptz(3) not null,
      last_seen timestamptz(3) not null,
      entities jsonb not null,
      entity_keys text[] not null,
      evidence jsonb not null,
      tags text[] not null,
      request_ids text[] not null,
      assignee_user_id uuid,
      suppressed_by uuid,
      suppressed_until timestamptz(3),
      acknowledged_at timestamptz(3),
      resolved_at timestamptz(3),
      closed_at timestamptz(3),
      ack_due timestamptz(3),
      resolve_due timestamptz(3),
      breached text[] not null,
      cooldown_seconds int not null,
      paused_ms bigint not null,
      due_at timestamptz(3),
      primary key (tenant_id, id),
      foreign key (tenant_id, rule_id) references aegis_detection_rule (tenant_id, id)
    );
    create unique index aegis_alert_one_open on aegis_alert (tenant_id, fingerprint)
      where status in ('new', 'triaged', 'in_progress', 'suppressed');
    create index aegis_alert_fingerprint on aegis_alert (tenant_id, fingerprint, last_seen);
    create index aegis_alert_created_at on aegis_alert (tenant_id, created_at, id);
    create index aegis_alert_last_seen on aegis_alert (tenant_id, last_seen, id);
    create index aegis_alert_updated_at on aegis_alert (tenant_id, updated_at, id);
    create index aegis_alert_due on aegis_alert (tenant_id, due_at) where due_at is not null;
    create index aegis_alert_unresolved on aegis_alert (tenant_id, status)
      where status in ('new', 'triaged', 'in_progress');
    create index aegis_alert_resolved_at on aegis_alert (tenant_id, resolved_at) where resolved_at is not null;
    create index aegis_alert_rule on aegis_alert (tenant_id, rule_id) where resolution is not null;
    create index aegis_alert_entities on aegis_alert using gin (entity_keys);

    create table aegis_alert_timeline (
      ${tenant},
      id uuid not null,
      alert_id uuid not null,
      at timestamptz(3) not null,
      by uuid,
      kind text not null,
      from_value text,
      to_value text,
      comment text,
      primary key (tenant_id, id),
      foreign key (tenant_id, alert_id) references aegis_alert (tenant_id, id)
    );
    create index aegis_alert_timeline_alert on aegis_alert_timeline (tenant_id, alert_id, at, id);
  `,
}
