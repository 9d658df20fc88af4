import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Prompts and templates of resources are pinned beside the instructions and wait for approval on servers that are known. */
export const mcpListPinsMigration: Migration = {
  id: 'aegis-0052-mcp-list-pins',
  sql: `
    alter table aegis_mcp_server no force row level security;
    update aegis_mcp_server set pins = pins ||
      '{"prompts": {}, "resource_templates": {}, "candidate_prompts": null, "candidate_resource_templates": null}'::jsonb;
  `,
}
