import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { TrustReport, TrustSignal } from '../../kernel/trust-signals.ts'
import { type AuditCheck, lastAuditCheck } from './audit-checks/audit-count.ts'
import { budgetedSpend } from './budgets/budgeted.ts'

interface Counts {
  readonly calls: number
  readonly enforced: number
  readonly fail_open: number
  readonly with_entities: number
  readonly leaked: number
  readonly last_at: string | null
}

interface Secrets {
  readonly keys: number
  readonly fresh: number
}

/** The six raw terms of the AI-governance pillar over the last 30 days, from real traffic only. */
export async function gatewaySignals(tx: Tx, at: string): Promise<TrustReport> {
  const [counts, secrets, check, spend] = await Promise.all([
    realTraffic(tx, at),
    secretAges(tx, at),
    lastAuditCheck(tx),
    budgetedSpend(tx, at),
  ])
  const seen = counts?.last_at ?? null
  const calls = counts?.calls ?? 0
  return {
    signals: [
      proportion('enforced', { good: counts?.enforced ?? 0, n: calls, seen }),
      proportion('fail_open', { good: calls - (counts?.fail_open ?? 0), n: calls, seen }),
      proportion('protected', {
        good: (counts?.with_entities ?? 0) - (counts?.leaked ?? 0),
        n: counts?.with_entities ?? 0,
        seen,
      }),
      // Without a count yet, there is no evidence.
      proportion('audited', { good: check?.audited ?? 0, n: check?.calls ?? 0, seen: check?.counted_at ?? null }),
      proportion('fresh_secrets', { good: secrets?.fresh ?? 0, n: secrets?.keys ?? 0, seen: at }),
      proportion('budgeted', { ...spend, seen }),
    ],
    caps: [{ id: 'audit_chain_broken', active: check !== null && isBroken(check) }],
  }
}

function isBroken({ intact, broken_at, lost, unlogged }: AuditCheck): boolean {
  return !intact || broken_at !== null || lost > 0 || unlogged > 0
}

/** Without an observation a term has no value: no traffic must not look like good traffic. */
function proportion(
  id: string,
  { good, n, seen }: { readonly good: number; readonly n: number; readonly seen: string | null },
): TrustSignal {
  const observed = n > 0 && seen !== null
  return {
    id,
    good: observed ? good : null,
    value: null,
    n,
    observed_at: observed ? seen : null,
    source_ref: '/api/v1/gateway/requests',
  }
}

function realTraffic(tx: Tx, at: string): Promise<Counts | null> {
  return tx.first(
    sql<Counts>`
      select coalesce(sum(calls), 0)::bigint as calls, coalesce(sum(enforced), 0)::bigint as enforced,
        coalesce(sum(fail_open), 0)::bigint as fail_open, coalesce(sum(with_entities), 0)::bigint as with_entities,
        coalesce(sum(leaked), 0)::bigint as leaked, max(last_at) as last_at
      from gateway_usage_hour
      where not offline
        and hour > ${at}::timestamptz - interval '30 days'
        and hour <= ${at}::timestamptz`,
  )
}

function secretAges(tx: Tx, at: string): Promise<Secrets | null> {
  return tx.first(
    sql<Secrets>`
      select count(*)::int as keys,
        (count(*) filter (where created_at > ${at}::timestamptz - interval '90 days' or expires_at > ${at}::timestamptz))::int as fresh
      from gateway_provider_secret`,
  )
}
