import Type, { type Static } from 'typebox'
import { table } from '../../../../kernel/db/table.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { Remarks } from '../../findings/remark.ts'
import { cacheScopes } from '../../schemas/cache.ts'

const Bytes = Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM under the tenant key' })

/** Settings of the tenant; without a row, the defaults of settings.ts apply. */
export const CacheSettingsRow = strictObject({
  tenant_id: Uuid,
  mode: oneOf('exact', 'off'),
  scope: oneOf(...cacheScopes),
  ttl_seconds: Type.Integer(),
  max_bytes: Type.Integer(),
  semantic_enabled: Type.Boolean(),
  semantic_threshold: Type.Number(),
  embedding_model: nullable(Type.String({ maxLength: 256 })),
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type CacheSettingsRow = Static<typeof CacheSettingsRow>

export const cacheSettings = table({
  name: 'gateway_cache_settings',
  inTenantCopies: true,
  row: CacheSettingsRow,
  key: [],
  noun: 'cache settings',
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})

/**
 * An answer that may be served again, as it was inspected, before restoration. It is never changed: a newer answer to
 * the same question is another row, and the newest counts.
 */
export const CacheEntryRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  /** The log row of the call that got the answer. */
  call_id: Uuid,
  request_id: Type.String({ maxLength: 64 }),
  user_id: Uuid,
  key_id: nullable(Type.String({ maxLength: 64 })),
  route: nullable(Type.String({ maxLength: 256 })),
  provider: Type.String({ maxLength: 63 }),
  model: Type.String({ maxLength: 256 }),
  /** `<id>@<version>` of each policy that applied. */
  policies: Type.Array(Type.String({ maxLength: 64 })),
  /** Hash of the partition and the call. */
  key: Type.String({ maxLength: 64 }),
  /**
   * Hash of the partition and everything except the words of the last question; null if only equal calls are served.
   */
  context: nullable(Type.String({ maxLength: 64 })),
  sealed: Bytes,
  sealed_vector: nullable(Bytes),
  /** Findings in the answer; null for an answer stored before findings were kept, which is not served again. */
  told: nullable(Remarks),
  /** Size of the sealed content and the remarks. */
  bytes: Type.Integer({ minimum: 0 }),
  /** Milliseconds the model took. */
  upstream_ms: Type.Integer({ minimum: 0 }),
  created_at: Timestamp,
  expires_at: Timestamp,
})
export type CacheEntryRow = Static<typeof CacheEntryRow>

export const cacheEntries = table({
  name: 'gateway_cache_entry',
  row: CacheEntryRow,
  append: true,
  dueBy: ['created_at', 'expires_at'],
  noun: 'kept answer',
  data: {
    category: 'model_call_content',
    subject: ['user_id'],
    retention: 'P30D',
    erasure: 'delete',
    isCopy: true,
    caches: ['vectors of questions, in the memory of each instance'],
  },
})

export const CachePurgeRow = strictObject({ tenant_id: Uuid, purged_at: Timestamp })

/** The last purge; read on every insert of an answer. */
export const cachePurges = table({
  name: 'gateway_cache_purge',
  row: CachePurgeRow,
  key: [],
  appendAsks: true,
  noun: 'purge of kept answers',
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})

export const cacheTables = [cacheSettings, cacheEntries, cachePurges] as const
