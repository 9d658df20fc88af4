import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * Files of exports are blobs of the kernel. Earlier files can no longer be downloaded and have to be exported again.
 */
export const exportBlobsMigration: Migration = {
  id: 'gateway-0034-export-blobs',
  sql: `
    alter table gateway_request_export add column blob_id uuid;
    alter table gateway_request_export add foreign key (tenant_id, blob_id) references blob (tenant_id, id);
    create index gateway_request_export_blob on gateway_request_export (tenant_id, blob_id);
    alter table gateway_request_export drop column blob_sha256;
    alter table gateway_request_export drop column wrapped_key;
  `,
}
