/**
 * The tenant's settings of the cache: upper limits for every policy, route and caller. Every change is audited with the
 * previous values, applies on this instance with its commit and on all others within a second, and the semantic cache
 * can only be on with an available model. Tested in cache-routes.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { resolveTargets } from '../../plan/targets.ts'
import { configurationTopic, type TenantSnapshot } from '../../policy/snapshot.ts'
import type { CacheSettings, PatchCache } from '../../schemas/cache.ts'
import { defaultSettings } from '../question/rules.ts'
import { type CacheSettingsRow, cacheSettings } from './tables.ts'

type Stored = Omit<CacheSettingsRow, 'tenant_id' | 'version' | 'created_at'>

export function settingsOf(row: Stored | null): CacheSettings {
  if (row === null) return defaultSettings
  const { semantic_enabled: enabled, semantic_threshold: threshold, embedding_model } = row
  const { mode, scope, ttl_seconds, max_bytes, updated_at } = row
  return { mode, scope, ttl_seconds, max_bytes, semantic: { enabled, threshold, embedding_model }, updated_at }
}

const stored = (): Sql<CacheSettingsRow> =>
  sql<CacheSettingsRow>`select ${cacheSettings.columns} from gateway_cache_settings`

/** Version 1 is the defaults. */
export interface VersionedSettings {
  readonly settings: CacheSettings
  readonly version: number
}

export async function readSettings(tx: Tx): Promise<VersionedSettings> {
  const row = await tx.first(stored())
  return { settings: settingsOf(row), version: row?.version ?? 1 }
}

export interface SettingsChange {
  readonly input: PatchCache
  /** For checking the model, which has to be one of the tenant's. */
  readonly snapshot: Pick<TenantSnapshot, 'providers'>
  readonly precondition: Precondition
}

/** @throws API-001, API-012, GW-001 for an embedding model that does not exist */
export async function patchSettings(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { input, snapshot, precondition }: SettingsChange,
): Promise<VersionedSettings> {
  await tx.lock('gateway_cache_settings', tx.tenantId)
  const row = await tx.first(stored())
  const before = settingsOf(row)
  const version = (row?.version ?? 1) + 1
  precondition.expectVersion(version - 1)
  const at = clock.iso()
  const { semantic, ...plain } = input
  const after: CacheSettings = { ...before, ...plain, semantic: { ...before.semantic, ...semantic }, updated_at: at }
  refuseUseless(after, snapshot)
  await write(tx, { settings: after, version, at })
  await tx.announce(configurationTopic, tx.tenantId)
  await tx.audit('gateway.cache.update', { target: `cache:${tx.tenantId}`, before, after })
  return { settings: after, version }
}

function refuseUseless({ semantic }: CacheSettings, { providers }: Pick<TenantSnapshot, 'providers'>): void {
  const { enabled, embedding_model: model } = semantic
  if (enabled && model === null) {
    const detail = 'The semantic cache needs an embedding model.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/semantic/embedding_model' }])
  }
  if (enabled && model !== null) resolveTargets(providers, { provider: null, model })
}

interface Writing extends VersionedSettings {
  readonly at: string
}

async function write(tx: Tx, { settings, version, at }: Writing): Promise<void> {
  const { mode, scope, ttl_seconds, max_bytes, semantic } = settings
  const { enabled, threshold, embedding_model } = semantic
  await tx.execute(
    sql`
      insert into gateway_cache_settings (mode, scope, ttl_seconds, max_bytes, semantic_enabled, semantic_threshold,
        embedding_model, version, created_at, updated_at)
      values (${mode}, ${scope}, ${ttl_seconds}, ${max_bytes}, ${enabled}, ${threshold}, ${embedding_model}, ${version},
        ${at}, ${at})
      on conflict (tenant_id) do update set
        mode = excluded.mode, scope = excluded.scope, ttl_seconds = excluded.ttl_seconds,
        max_bytes = excluded.max_bytes, semantic_enabled = excluded.semantic_enabled,
        semantic_threshold = excluded.semantic_threshold, embedding_model = excluded.embedding_model,
        version = excluded.version, updated_at = excluded.updated_at`,
  )
}
