import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import type { AskingParts } from '../routing/asking-parts.ts'
import type { LiveHealth, Provider, ProviderRow } from '../schemas/provider.ts'
import { noLimits } from '../schemas/provider-limits.ts'
import type { ProviderSecretRow } from '../schemas/provider-secret.ts'
import { providers } from '../schemas/tables.ts'

export interface ProviderQuery {
  readonly kind?: string
  readonly status?: string
  readonly health?: string
}

export async function listProviders(
  tx: Tx,
  page: PageRequest,
  { kind, status, health }: ProviderQuery,
): Promise<Page<Versioned<Provider>>> {
  const where = sql`
    (${kind ?? null}::text is null or kind = ${kind ?? null}::text)
    and (${status ?? null}::text is null or status = ${status ?? null}::text)
    and (${health ?? null}::text is null or health_state = ${health ?? null}::text)`
  const found = await providers.page(tx, page, where)
  const secrets = await secretsOf(
    tx,
    found.items.map(({ id }) => id),
  )
  return { ...found, items: found.items.map((row) => new Versioned(providerView(row, secrets), row.version)) }
}

export async function providerOf(tx: Tx, row: ProviderRow): Promise<Provider> {
  return providerView(row, await secretsOf(tx, [row.id]))
}

type SecretFacts = Omit<ProviderSecretRow, 'ciphertext' | 'valid_until'>

/** Keys without their ciphertext, by name. */
export function secretsOf(tx: Tx, providerIds: readonly string[]): Promise<readonly SecretFacts[]> {
  return tx.query(
    sql<SecretFacts>`
      select id, tenant_id, provider_id, name, ref, hint, weight, version, expires_at, last_used_at, created_at, updated_at
      from gateway_provider_secret
      where provider_id = any(${providerIds}::uuid[]) and valid_until is null
      order by name`,
  )
}

function providerView(row: ProviderRow, secrets: readonly SecretFacts[]): Provider {
  const {
    health_state: state,
    health_reason: reason,
    health_since: since,
    tested_ok: ok,
    tested_at: at,
    version: _,
    ...facts
  } = row
  return {
    ...facts,
    limits: { ...noLimits, ...facts.limits },
    secrets: secrets
      .filter(({ provider_id: id }) => id === row.id)
      .map(({ name, ref, hint, version, weight, expires_at, last_used_at, created_at }) => ({
        id: name,
        ref,
        hint,
        version,
        weight,
        expires_at,
        last_used_at,
        created_at,
      })),
    health: { state, reason, since, last_test: ok === null || at === null ? null : { ok, at } },
    offline: row.kind === 'echo',
  }
}

/** Health of the provider as this instance observed it. */
export function liveHealth({ health, routing }: Pick<AskingParts, 'health' | 'routing'>, id: string): LiveHealth {
  const prefix = `${id}/`
  return {
    breakers: health.view(id).map(({ keyId, model, state, restMs, errorRate }) => {
      return { key_id: keyId, model, state, rest_ms: restMs, error_rate: errorRate }
    }),
    targets: routing.traffic.statsUnder(prefix).map(({ key, inFlight, calls, failed, p50Ms, p95Ms }) => ({
      model: key.slice(prefix.length),
      in_flight: inFlight,
      attempts: calls,
      error_rate: calls === 0 ? 0 : failed / calls,
      ttft_ms: { p50: p50Ms, p95: p95Ms },
    })),
  }
}
