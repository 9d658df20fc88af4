import { Type } from 'typebox'
import { table } from '../db/table.ts'

const uuid = Type.String({ format: 'uuid' })

/** One row per act of revocation. Needed for as long as a token can live that was signed before it. */
export const revocationTable = table({
  name: 'revocation',
  outlivesRestore: true,
  row: Type.Object({
    tenant_id: uuid,
    id: uuid,
    scope: Type.Union([
      Type.Literal('session'),
      Type.Literal('user'),
      Type.Literal('tenant'),
      Type.Literal('platform'),
      Type.Literal('key'),
    ]),
    subject: Type.String(),
    cutoff_sid: uuid,
    at: Type.String({ format: 'date-time' }),
  }),
  system: true,
  data: { category: 'security', subject: [], retention: 'P1D', erasure: 'none' },
})

export const authTables = [revocationTable]
