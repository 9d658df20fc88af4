/**
 * Tables of the blobs. `blob_object` says which bytes may be in the store and is written before the first of them;
 * `blob` says which of them are a whole file, and its rows are what rows of other tables refer to. Tested in blobs.test.ts.
 */
import { Type } from 'typebox'
import { table } from '../db/table.ts'

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })
const bytes = Type.Integer({ minimum: 0 })

export const blobObject = table({
  name: 'blob_object',
  // Restored rows say nothing about the content of the store.
  outlivesRestore: true,
  row: Type.Object({ tenant_id: uuid, id: uuid, bytes, created_at: instant }),
  system: true,
  data: { category: 'operation', subject: [], retention: 'tenant', erasure: 'none' },
})

export const blob = table({
  name: 'blob',
  row: Type.Object({
    tenant_id: uuid,
    id: uuid,
    bytes,
    sha256: Type.String({ maxLength: 64 }),
    wrapped_key: Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM under the tenant key' }),
    unreferenced_since: Type.Union([instant, Type.Null()]),
    created_at: instant,
  }),
  system: true,
  data: { category: 'operation', subject: [], retention: 'tenant', erasure: 'crypto_shred' },
})

export const blobTables = [blobObject, blob] as const
export const blobSealed = [{ table: 'blob', column: 'wrapped_key' }] as const
