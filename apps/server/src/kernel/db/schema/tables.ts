import { Type } from 'typebox'
import { table } from '../table.ts'

const installation = { category: 'operation', subject: [], retention: 'tenant', erasure: 'none' } as const

/** Changes that other instances hold in memory; read again by all of them for some seconds after the commit. */
export const changeFeed = table({
  name: 'change_feed',
  outlivesRestore: true,
  row: Type.Object({
    tenant_id: Type.String(),
    id: Type.String(),
    topic: Type.String(),
    key: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown()),
    at: Type.String(),
  }),
  system: true,
  appendOnly: true,
  data: { ...installation, retention: 'PT1H' },
})

/** Answers kept for repeated requests; the body is encrypted. */
export const idempotencyKeys = table({
  name: 'idempotency_key',
  row: Type.Object({
    tenant_id: Type.String(),
    id: Type.String(),
    actor: Type.String(),
    key: Type.String(),
    route: Type.String(),
    body_sha256: Type.String(),
    status: Type.Union([Type.Literal('running'), Type.Literal('done')]),
    response_status: Type.Union([Type.Integer(), Type.Null()]),
    response_headers: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
    response_body: Type.Union([Type.Unsafe<Uint8Array>(Type.Unknown()), Type.Null()]),
    created_at: Type.String(),
    expires_at: Type.String(),
  }),
  system: true,
  data: { category: 'operation', subject: [], retention: 'P1D', erasure: 'delete', isCopy: true },
})

/** Facts of the installation, one row each, for instance that it was set up. */
export const platformState = table({
  name: 'platform_state',
  outlivesRestore: true,
  row: Type.Object({ name: Type.String(), value: Type.Unsafe<unknown>({ ...Type.Unknown(), jsonb: true }) }),
  scope: 'platform',
  key: ['name'],
  data: installation,
})

export const databaseTables = [changeFeed, idempotencyKeys, platformState] as const
