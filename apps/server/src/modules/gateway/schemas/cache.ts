/** The cache's settings, statistics and purges as the API shows them. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const opt = Type.Optional

export const cacheScopes = ['tenant', 'role', 'user', 'key'] as const
export type CacheScope = (typeof cacheScopes)[number]
export const cacheModes = ['semantic', 'exact', 'off'] as const
export type CacheMode = (typeof cacheModes)[number]

export const Seconds = Type.Integer({ minimum: 1, maximum: 2_592_000 })
export const Threshold = Type.Number({ minimum: 0.9, maximum: 1, description: 'Cosine of the two questions.' })
const ModelName = Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' })

/** A route's settings for cached answers; they can only tighten the policies. */
export const RouteCache = strictObject({
  mode: opt(oneOf(...cacheModes)),
  scope: opt(oneOf(...cacheScopes)),
  ttl_seconds: opt(Seconds),
  semantic_threshold: opt(Threshold),
  max_temperature: opt(Type.Number({ minimum: 0, maximum: 2 })),
})
export type RouteCache = Static<typeof RouteCache>

const fields = {
  mode: Type.Unsafe<'exact' | 'off'>({ ...oneOf('exact', 'off'), description: '`off` stops the cache at once.' }),
  scope: Type.Unsafe<CacheScope>({
    ...oneOf(...cacheScopes),
    description: 'The widest circle a policy may let share answers.',
  }),
  ttl_seconds: Type.Integer({
    minimum: 1,
    maximum: 2_592_000,
    description: 'The longest time a policy may let an answer be given again; shorter, it counts at once.',
  }),
  max_bytes: Type.Integer({
    minimum: 1_048_576,
    maximum: 10_737_418_240,
    description: 'Bytes of kept answers, encrypted; the oldest leave first.',
  }),
}
const semantic = {
  enabled: Type.Boolean({ description: 'Policies ask for it with the mode `semantic`.' }),
  threshold: Threshold,
  embedding_model: nullable(ModelName),
}

export const CacheSettings = strictObject({
  ...fields,
  semantic: strictObject(semantic),
  updated_at: nullable(Timestamp),
})
export type CacheSettings = Static<typeof CacheSettings>

export const PatchCache = strictObject({
  mode: opt(fields.mode),
  scope: opt(fields.scope),
  ttl_seconds: opt(fields.ttl_seconds),
  max_bytes: opt(fields.max_bytes),
  semantic: opt(
    strictObject({
      enabled: opt(semantic.enabled),
      threshold: opt(semantic.threshold),
      embedding_model: opt(semantic.embedding_model),
    }),
  ),
})
export type PatchCache = Static<typeof PatchCache>

export const cacheWindows = ['1h', '24h', '7d', '30d'] as const
export const CacheQuery = strictObject({
  window: opt(
    Type.Unsafe<(typeof cacheWindows)[number]>({
      ...oneOf(...cacheWindows),
      description: 'What the counts are of; from hourly counts, the first hour as a whole. 24h by default.',
    }),
  ),
})
export type CacheQuery = Static<typeof CacheQuery>

const Count = Type.Integer({ minimum: 0 })
const counts = {
  hits: Count,
  semantic_hits: Count,
  joined: Type.Integer({ minimum: 0, description: 'Equal calls under way that shared one answer.' }),
  misses: Count,
  hit_rate: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Of calls the cache was asked for.' })),
  saved_cost: Type.Array(
    strictObject({
      amount: Type.String({ maxLength: 48, description: 'Decimal.' }),
      currency: Type.String({ maxLength: 3 }),
    }),
    { description: 'One sum per currency.' },
  ),
  saved_ms: Type.Integer({ minimum: 0, description: 'Time the models had taken.' }),
}
export const CacheCounts = strictObject(counts)
export type CacheCounts = Static<typeof CacheCounts>

export const CacheView = strictObject({
  settings: CacheSettings,
  from: Timestamp,
  stats: strictObject({ entries: Count, bytes: Count, ...counts }),
  by_route: Type.Array(strictObject({ route: nullable(Type.String({ maxLength: 256 })), ...counts })),
})
export type CacheView = Static<typeof CacheView>

const Id = Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]+$' })

export const PurgeCache = strictObject(
  {
    all: opt(Type.Literal(true, { type: 'boolean' })),
    route: opt(Type.String({ minLength: 1, maxLength: 63 })),
    model: opt(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Name of the model, or provider/model as it answered.',
      }),
    ),
    key_id: opt(Id),
    user_id: opt(Uuid),
    policy_id: opt(Uuid),
    policy_version: opt(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'With `policy_id`.' })),
    older_than_seconds: opt(Type.Integer({ minimum: 0, maximum: 2_592_000 })),
    request_id: opt(
      Type.String({
        pattern: '^(?:req_)?[0-9a-zA-Z-]{1,64}$',
        maxLength: 68,
        description: 'The call whose answer was kept: id of the log row or of the HTTP request.',
      }),
    ),
  },
  { description: 'Several members narrow each other; `all` stands alone.' },
)
export type PurgeCache = Static<typeof PurgeCache>

export const Purged = strictObject({ purged_entries: Count, purged_bytes: Count })
export type Purged = Static<typeof Purged>
