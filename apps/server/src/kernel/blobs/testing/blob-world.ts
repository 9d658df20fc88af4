import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { openTestDatabase } from '../../../../test/support/database.ts'
import type { TenantId } from '../../access/actor.ts'
import { createRecorders } from '../../assembly/recorders.ts'
import { createRandom } from '../../crypto/random.ts'
import { createDatabase } from '../../db/database.ts'
import { databaseMigrations } from '../../db/schema/migrations.ts'
import { databaseTables } from '../../db/schema/tables.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { createTenantKeys } from '../../keys/keys.ts'
import { cryptoMigrations } from '../../keys/migrations.ts'
import { cryptoTables } from '../../keys/tables.ts'
import { type BlobParts, createBlobs } from '../blobs.ts'
import { blobMigrations } from '../migrations.ts'
import type { BlobStore } from '../port.ts'
import { sweepBlobs } from '../sweep.ts'
import { blobTables } from '../tables.ts'

const filed = table({
  name: 'filed_note',
  row: Type.Object({ tenant_id: Type.String(), id: Type.String(), blob_id: Type.Union([Type.String(), Type.Null()]) }),
  blobs: ['blob_id'],
  data: { category: 'test', subject: [], retention: 'tenant', erasure: 'none' },
})

const filedMigration = {
  id: 'test-0001-filed-note',
  sql: `
    create table filed_note (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null, blob_id uuid, primary key (tenant_id, id),
      foreign key (tenant_id, blob_id) references blob (tenant_id, id));
    create index filed_note_blob on filed_note (tenant_id, blob_id);`,
}

const nothing = () => undefined
const hourMs = 3_600_000

/** Blobs on a database of their own, with a table whose rows name them and a clock that the test moves. */
export async function openBlobWorld(store: BlobStore) {
  const tables = [...databaseTables, ...cryptoTables, ...blobTables, filed]
  const migrations = [...databaseMigrations, ...cryptoMigrations, ...blobMigrations, filedMigration]
  const database = await openTestDatabase({ tables, migrations })
  let now = Date.UTC(2026, 0, 1)
  const clock = { now: () => now, iso: () => new Date(now).toISOString() }
  const random = createRandom(() => Date.now())
  const committed = { change: nothing, event: nothing, job: nothing, audit: nothing }
  const recorders = createRecorders({ clock, random, check: true, digest: String, committed })
  const db = createDatabase({ driver: database.driver, recorders })
  const changes = { on: () => nothing }
  const keys = createTenantKeys({ db, kek: randomBytes(32), clock, random, changes })
  let limit: number | null = null
  const parts: BlobParts = { store, db, keys, clock, random, tables, limitOf: async () => limit }
  const blobs = createBlobs(parts)
  return {
    ...{ db, blobs, random, tables, database },
    /** Another instance on the same database, with changes to its parts. */
    instance: (over: Partial<BlobParts>) => createBlobs({ ...parts, ...over }),
    setLimit: (bytes: number | null) => {
      limit = bytes
    },
    passHours: (hours: number) => {
      now += hours * hourMs
    },
    newTenant: async (): Promise<TenantId> => {
      const tenantId = random.uuid() as TenantId
      await db.tenant({ tenantId }, (tx) => keys.create(tx))
      return tenantId
    },
    destroyKeys: (tenantId: TenantId) => db.tenant({ tenantId }, (tx) => keys.destroy(tx)),
    /** Writes a row that names the blob; answers its id. */
    file: async (tenantId: TenantId, blobId: string): Promise<string> => {
      const id = random.uuid()
      await db.tenant({ tenantId }, (tx) =>
        tx.execute(sql`insert into filed_note (id, blob_id) values (${id}, ${blobId})`),
      )
      return id
    },
    unfile: (tenantId: TenantId, id: string) =>
      db.tenant({ tenantId }, (tx) => tx.execute(sql`delete from filed_note where id = ${id}`)),
    sweep: () => sweepBlobs({ db, store, clock, tables }),
    close: () => database.close(),
  }
}

export type BlobWorld = Awaited<ReturnType<typeof openBlobWorld>>
