/**
 * The rows of blobs being written and written. Promises that bytes in the store always have a row, that a blob is there
 * once all of its bytes are, and that no tenant passes its limit, also by several uploads on several instances at once.
 * Tested in blobs.test.ts.
 */
import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { BlobError, type StoredBlob } from './port.ts'
import type { StorageLimit } from './storage-limits.ts'

/** Bytes reserved beyond those that are there, so that not every frame asks the database. */
const reserveAhead = 8 * 1_048_576

export interface LedgerParts {
  readonly db: Pick<Database, 'tenant' | 'read'>
  readonly clock: Pick<Clock, 'iso'>
  readonly limitOf: StorageLimit
}

interface Entry {
  readonly tenantId: TenantId
  readonly id: string
}

export interface Finished extends StoredBlob {
  /** Of the file in the store. */
  readonly sealedBytes: number
  readonly wrappedKey: Uint8Array
}

export function createLedger({ db, clock, limitOf }: LedgerParts) {
  return {
    /** Before the first byte is stored. */
    begin: ({ tenantId, id }: Entry): Promise<void> =>
      db.tenant({ tenantId }, async (tx) => {
        await tx.execute(sql`insert into blob_object (id, bytes, created_at) values (${id}, 0, ${clock.iso()})`)
      }),

    /** Room for at least so many bytes; answers for how many. @throws BlobError `quota` */
    reserve: async ({ tenantId, id }: Entry, bytes: number): Promise<number> => {
      const most = await limitOf(tenantId)
      if (most === null) return Number.POSITIVE_INFINITY
      return db.tenant({ tenantId }, async (tx) => {
        await tx.lock('blob_storage', tenantId)
        const others = await tx.first(
          sql<{ bytes: number }>`select coalesce(sum(bytes), 0)::bigint as bytes from blob_object where id <> ${id}`,
        )
        const room = Math.min(bytes + reserveAhead, most - (others?.bytes ?? 0))
        if (room < bytes) throw new BlobError('quota', 'The tenant may not store that much.')
        await tx.execute(sql`update blob_object set bytes = ${room} where id = ${id}`)
        return room
      })
    },

    /** After the last byte is stored. */
    finish: ({ tenantId }: Entry, blob: Finished): Promise<void> =>
      db.tenant({ tenantId }, async (tx) => {
        const known = await tx.execute(sql`update blob_object set bytes = ${blob.sealedBytes} where id = ${blob.id}`)
        if (known === 0) throw new Error('The upload took so long that it was taken for abandoned')
        const now = clock.iso()
        await tx.execute(sql`
          insert into blob (id, bytes, sha256, wrapped_key, unreferenced_since, created_at)
          values (${blob.id}, ${blob.bytes}, ${blob.sha256}, ${blob.wrappedKey}, ${now}, ${now})`)
      }),

    /** The key goes first. @throws DatabaseError 23503 while a row names the blob */
    forget: ({ tenantId, id }: Entry): Promise<void> =>
      db.tenant({ tenantId }, async (tx) => {
        await tx.execute(sql`delete from blob where id = ${id}`)
      }),

    /** After the bytes are gone. */
    end: ({ tenantId, id }: Entry): Promise<void> =>
      db.tenant({ tenantId }, async (tx) => {
        await tx.execute(sql`delete from blob_object where id = ${id}`)
      }),

    usage: async (tenantId: TenantId): Promise<number> => {
      const [row] = await db.read(
        tenantId,
        sql<{ bytes: number }>`select coalesce(sum(bytes), 0)::bigint as bytes from blob_object`,
      )
      return row?.bytes ?? 0
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
