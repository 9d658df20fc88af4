/** Tables of stored keys. Key material in them is wrapped under the key-encryption key, which no table holds. */
import { Type } from 'typebox'
import { table } from '../db/table.ts'

const instant = Type.String({ format: 'date-time' })
const optionalInstant = Type.Union([instant, Type.Null()])
const bytes = Type.Unsafe<Uint8Array>(Type.Any())

const keyData = { category: 'key', subject: [], retention: 'tenant', erasure: 'none' } as const

export const tenantDataKey = table({
  name: 'tenant_data_key',
  row: Type.Object({
    tenant_id: Type.String({ format: 'uuid' }),
    id: Type.String({ format: 'uuid' }),
    version: Type.Integer({ minimum: 1 }),
    wrapped: bytes,
    created_at: instant,
  }),
  system: true,
  data: keyData,
})

export const signingKey = table({
  name: 'signing_key',
  outlivesRestore: true,
  row: Type.Object({
    kid: Type.String(),
    purpose: Type.Union([Type.Literal('token'), Type.Literal('checkpoint'), Type.Literal('export')]),
    status: Type.Union([
      Type.Literal('next'),
      Type.Literal('active'),
      Type.Literal('retiring'),
      Type.Literal('retired'),
    ]),
    public_x: Type.String(),
    /** Null once the key no longer signs: an erased key cannot be stolen. */
    wrapped: Type.Union([bytes, Type.Null()]),
    created_at: instant,
    activates_at: optionalInstant,
    /** Null on a retiring key whose signatures stay good for ever. */
    retires_at: optionalInstant,
  }),
  scope: 'platform',
  key: ['kid'],
  data: keyData,
})

/** By the id that health and rotations show. */
export const keyUse = table({
  name: 'key_use',
  outlivesRestore: true,
  scope: 'platform',
  key: ['kid'],
  row: Type.Object({ kid: Type.String(), uses: Type.Integer() }),
  data: keyData,
})

export const cryptoTables = [tenantDataKey, signingKey, keyUse]
