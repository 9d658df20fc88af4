/**
 * Health of each provider as this instance sees it: a breaker that stops asking one that keeps failing, keys that rest
 * after a rate limit, and the state shown to people. Promises at most one event per change of state; does not probe.
 * Tested in health.test.ts.
 */
import type { TenantId } from '../../../kernel/auth/actor.ts'
import type { Clock } from '../../../kernel/kernel.ts'
import { faultRules, type UpstreamFault } from './fault.ts'
import type { Provider, ProviderSecret } from './provider.ts'

export type Health = 'healthy' | 'degraded' | 'down'

export interface HealthChange {
  readonly tenantId: TenantId
  readonly providerId: string
  readonly state: Health
  readonly reason: string | null
  /** Share of the last calls that failed. */
  readonly errorRate: number
}

export interface ProviderHealth {
  /** Milliseconds until the provider may be asked again; 0 when it may be asked now. */
  restMs(provider: Provider): number
  /** A key that may be used now, drawn by weight; null for a provider without keys, undefined when all rest or are over. */
  pickSecret(provider: Provider, spent: ReadonlySet<string>): ProviderSecret | null | undefined
  /** Milliseconds until the first resting key may be used again; null when none rests. */
  keysRestMs(provider: Provider): number | null
  succeeded(tenantId: TenantId, provider: Provider, secretId: string | null): void
  failed(
    tenantId: TenantId,
    provider: Provider,
    failure: { readonly fault: UpstreamFault; readonly secretId: string | null },
  ): void
}

export interface HealthParts {
  readonly clock: Pick<Clock, 'now'>
  readonly fraction: () => number
  readonly changed: (change: HealthChange) => void
}

const failuresInARow = 5
const remembered = 20
const leastForRate = 10
const firstRestMs = 30_000
const longestRestMs = 300_000
const keyRestMs = 10_000
const longestKeyRestMs = 300_000

interface Record {
  outcomes: boolean[]
  failures: number
  openUntil: number
  rests: number
  probing: boolean
  shown: Health | null
}

export function createProviderHealth({ clock, fraction, changed }: HealthParts): ProviderHealth {
  const records = new Map<string, Record>()
  const keyRests = new Map<string, { until: number; times: number }>()
  const recordOf = (provider: Provider): Record => {
    const known = records.get(provider.id)
    if (known !== undefined) return known
    const fresh: Record = { outcomes: [], failures: 0, openUntil: 0, rests: 0, probing: false, shown: null }
    records.set(provider.id, fresh)
    return fresh
  }
  const show = (record: Record, change: Omit<HealthChange, 'errorRate'>): void => {
    if (record.shown === change.state) return
    record.shown = change.state
    changed({ ...change, errorRate: errorRate(record) })
  }
  const keyOf = (provider: Provider, secretId: string): string => `${provider.id}:${secretId}`

  return {
    restMs: (provider) => {
      const record = records.get(provider.id)
      if (record === undefined || record.openUntil === 0) return 0
      const left = record.openUntil - clock.now()
      if (left > 0) return left
      // Half open: one call finds out; the others wait for it.
      if (record.probing) return 1000
      record.probing = true
      return 0
    },
    pickSecret: (provider, spent) => {
      if (provider.secrets.length === 0) return null
      const now = clock.now()
      const usable = provider.secrets.filter(
        ({ id, expiresAt }) =>
          !spent.has(id) &&
          (expiresAt === null || expiresAt > now) &&
          (keyRests.get(keyOf(provider, id))?.until ?? 0) <= now,
      )
      return drawByWeight(usable, fraction())
    },
    keysRestMs: (provider) => {
      const ends = provider.secrets.flatMap(({ id }) => keyRests.get(keyOf(provider, id))?.until ?? [])
      return ends.length === 0 ? null : Math.max(0, Math.min(...ends) - clock.now())
    },
    succeeded: (tenantId, provider, secretId) => {
      const record = recordOf(provider)
      remember(record, true)
      record.failures = 0
      record.openUntil = 0
      record.rests = 0
      record.probing = false
      if (secretId !== null) keyRests.delete(keyOf(provider, secretId))
      show(record, { tenantId, providerId: provider.id, state: 'healthy', reason: null })
    },
    failed: (tenantId, provider, { fault, secretId }) => {
      if (fault.kind === 'rate_limited' && secretId !== null)
        restKey(keyRests, keyOf(provider, secretId), fault, clock.now())
      const record = recordOf(provider)
      record.probing = false
      if (!faultRules[fault.kind].unhealthy) return
      remember(record, false)
      record.failures += 1
      if (fault.kind === 'credential')
        return show(record, { tenantId, providerId: provider.id, state: 'degraded', reason: 'credential refused' })
      if (record.failures < failuresInARow && !mostlyFailing(record)) return
      record.openUntil = clock.now() + Math.min(longestRestMs, firstRestMs * 2 ** record.rests)
      record.rests += 1
      show(record, { tenantId, providerId: provider.id, state: 'down', reason: fault.kind })
    },
  }
}

function remember(record: Record, ok: boolean): void {
  record.outcomes = [...record.outcomes, ok].slice(-remembered)
}

function errorRate({ outcomes }: Record): number {
  return outcomes.length === 0 ? 0 : outcomes.filter((ok) => !ok).length / outcomes.length
}

function mostlyFailing(record: Record): boolean {
  return record.outcomes.length >= leastForRate && errorRate(record) >= 0.5
}

function restKey(
  rests: Map<string, { until: number; times: number }>,
  key: string,
  fault: UpstreamFault,
  now: number,
): void {
  const times = (rests.get(key)?.times ?? 0) + 1
  const ms = fault.retryAfterMs ?? Math.min(longestKeyRestMs, keyRestMs * 2 ** (times - 1))
  rests.set(key, { until: now + Math.min(ms, longestKeyRestMs), times })
}

function drawByWeight(secrets: readonly ProviderSecret[], fraction: number): ProviderSecret | undefined {
  let left = fraction * secrets.reduce((sum, { weight }) => sum + weight, 0)
  for (const secret of secrets) {
    left -= secret.weight
    if (left < 0) return secret
  }
  return secrets.at(-1)
}
