import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const scopesMigration: Migration = {
  id: 'aegis-0003-scopes',
  sql: `
    alter table aegis_kill_switch
      drop constraint aegis_kill_switch_scope_check,
      add constraint aegis_kill_switch_scope_check check (scope in (
        'platform', 'tenant', 'provider', 'model', 'route', 'key', 'user', 'agent', 'agents_by_tag', 'mcp_server', 'tool'
      ));
  `,
}
