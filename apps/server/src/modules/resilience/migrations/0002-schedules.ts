import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Experiments on a timetable, and those on calls of their own. */
export const schedulesMigration: Migration = {
  id: 'resilience-0003-schedules',
  sql: `
    alter table resilience_experiment
      drop constraint resilience_experiment_mode_check,
      drop constraint resilience_experiment_scope_check,
      drop constraint resilience_experiment_status_check,
      add constraint resilience_experiment_mode_check check (mode in ('dry_run', 'automated', 'scheduled')),
      add constraint resilience_experiment_scope_check check (scope in ('live', 'synthetic')),
      add constraint resilience_experiment_status_check check (status in
        ('pending_approval', 'scheduled', 'ready', 'checking', 'injecting', 'recovering', 'completed', 'failed', 'aborted')),
      add column schedule jsonb,
      add column scheduled_by uuid;
  `,
}
