/**
 * Which answers may be reused, for which callers and for how long: the strictest of the policies, the tenant's
 * settings, the route and the caller. Pure. Tested in rules.test.ts.
 */
import type { Asked } from '../../call/asked.ts'
import type { EffectivePolicy } from '../../policy/effective.ts'
import { stricter } from '../../policy/lattice.ts'
import {
  type CacheMode,
  type CacheScope,
  type CacheSettings,
  cacheModes,
  cacheScopes,
  type RouteCache,
} from '../../schemas/cache.ts'

export interface CacheRules {
  readonly mode: CacheMode
  readonly scope: CacheScope
  readonly ttlMs: number
  readonly maxTemperature: number
  readonly threshold: number
  /** Model that embeds questions; null without a semantic cache. */
  readonly embeddingModel: string | null
  /** How old an answer may be for this caller, in milliseconds. */
  readonly maxAgeMs: number
}

/** Settings of a tenant that set none. Policies limit answers to one key unless they say otherwise. */
export const defaultSettings: CacheSettings = {
  mode: 'exact',
  scope: 'tenant',
  ttl_seconds: 2_592_000,
  max_bytes: 268_435_456,
  semantic: { enabled: false, threshold: 0.95, embedding_model: null },
  updated_at: null,
}

interface Sources {
  readonly policy: EffectivePolicy['cache']
  readonly settings: CacheSettings
  readonly route: RouteCache | null
  readonly asked: Asked['cache']
}

const strictestMode = stricter(...cacheModes)
const strictestScope = stricter(...cacheScopes)

export function cacheRules({ policy, settings, route, asked }: Sources): CacheRules {
  const { semantic } = settings
  const tenantMode = settings.mode === 'exact' && semantic.enabled ? 'semantic' : settings.mode
  const modes: readonly CacheMode[] = [policy.mode, tenantMode, route?.mode ?? 'semantic', modeAsked(asked)]
  const ttlMs = 1000 * Math.min(policy.ttl_seconds, settings.ttl_seconds, route?.ttl_seconds ?? Infinity)
  return {
    mode: modes.reduce(strictestMode),
    scope: [policy.scope, settings.scope, route?.scope ?? 'tenant'].reduce<CacheScope>(strictestScope, 'tenant'),
    ttlMs,
    maxTemperature: Math.min(policy.max_temperature, route?.max_temperature ?? Infinity),
    threshold: Math.max(policy.semantic_threshold, semantic.threshold, route?.semantic_threshold ?? 0),
    embeddingModel: semantic.embedding_model,
    maxAgeMs: Math.min(ttlMs, asked?.maxAgeS == null ? Infinity : asked.maxAgeS * 1000),
  }
}

/** A caller can only tighten; one that asks for a fresh answer still allows it to be stored. */
function modeAsked(asked: Asked['cache']): CacheMode {
  return asked?.mode === 'off' ? 'off' : asked?.mode === 'exact' ? 'exact' : 'semantic'
}
