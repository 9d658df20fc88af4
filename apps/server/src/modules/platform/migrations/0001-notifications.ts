import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { tenant } from './columns.ts'

/** Notifications, a copy for each receiver, and each person's wishes. */
export const notificationsMigration: Migration = {
  id: 'platform-0001-notifications',
  sql: `
    create table platform_notification (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      category text not null,
      severity text not null,
      title text not null,
      body text not null,
      resource jsonb,
      group_key text,
      dedup_key text,
      count int not null,
      source text not null check (source in ('system', 'workflow', 'api', 'test')),
      actor_id uuid,
      expires_at timestamptz(3),
      primary key (tenant_id, id)
    );
    create index platform_notification_created_at on platform_notification (tenant_id, created_at, id);
    create index platform_notification_updated_at on platform_notification (tenant_id, updated_at);
    create index platform_notification_expires_at on platform_notification (tenant_id, expires_at);
    create index platform_notification_group on platform_notification (tenant_id, group_key, updated_at)
      where group_key is not null;
    create index platform_notification_dedup on platform_notification (tenant_id, dedup_key, created_at)
      where dedup_key is not null;

    create table platform_inbox (
      ${tenant},
      id uuid not null,
      user_id uuid not null,
      created_at timestamptz(3) not null,
      raised_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      status text not null check (status in ('unread', 'read', 'snoozed', 'archived')),
      snoozed_until timestamptz(3),
      in_digest boolean not null,
      primary key (tenant_id, user_id, id),
      foreign key (tenant_id, id) references platform_notification (tenant_id, id) on delete cascade
    );
    create index platform_inbox_notification on platform_inbox (tenant_id, id);
    create index platform_inbox_raised_at on platform_inbox (tenant_id, raised_at, id);
    create index platform_inbox_own on platform_inbox (tenant_id, user_id, raised_at, id);
    create index platform_inbox_digest on platform_inbox (tenant_id, user_id) where in_digest;

    create table platform_preference (
      ${tenant},
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      user_id uuid not null,
      matrix jsonb not null,
      quiet_hours jsonb,
      digest text not null check (digest in ('immediate', 'daily')),
      locale text not null,
      primary key (tenant_id, id),
      constraint platform_preference_user unique (tenant_id, user_id)
    );
  `,
}
