/** Calls that an experiment is expected to hit, from the traffic of the last hour and the model. Tested in experiments.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { isLike } from '../chaos/rules.ts'
import type { Expected, NewExperiment } from '../declared/experiment-schema.ts'
import type { ServiceRow } from '../declared/model-schema.ts'
import { services as serviceTable } from '../declared/model-tables.ts'
import type { FaultBody } from '../declared/scenario-schema.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

interface RecentCalls {
  readonly targets: readonly { readonly target: string; readonly calls: number }[]
}

const hourSeconds = 3_600

export interface Planned {
  readonly actor: Actor
  readonly faults: readonly FaultBody[]
  readonly body: NewExperiment
  readonly approvals: number
  readonly rows: readonly ServiceRow[]
}

export async function expectedOf(
  { facts }: Pick<ResilienceServices, 'facts'>,
  tx: Tx,
  { actor, faults, body, approvals, rows }: Planned,
): Promise<Expected> {
  // Callers without `gateway:read` are shown no figures of the gateway's traffic.
  const isShown = holds(actor.permissions, 'gateway:read')
  const ofCalls = isShown ? faults.filter(({ seam }) => seam === 'upstream') : []
  const query = { seconds: hourSeconds }
  const { data } = isShown
    ? await facts().read(tx, 'gateway.recent_calls', { caller: actor, query })
    : { data: { targets: [] } }
  const { targets } = data as unknown as RecentCalls
  const hit = targets.filter(({ target }) =>
    ofCalls.some(({ targets: patterns = ['*'] }) => patterns.some((pattern) => isLike(target, pattern))),
  )
  const matching = hit.reduce((sum, { calls }) => sum + calls, 0)
  const { percentage, max_affected_calls: most } = body.blast_radius
  const likely = Math.round(matching * (body.ttl_seconds / hourSeconds) * (percentage / 100))
  return {
    matching_calls_last_hour: ofCalls.length === 0 ? null : matching,
    expected_affected_calls: ofCalls.length === 0 ? null : Math.min(most, likely),
    approvals_needed: approvals,
    targets: hit.slice(0, 100).map(({ target, calls }) => ({ target, calls })),
    predicted: rows.map(({ key, rto: { predicted } }) => ({
      service: key,
      rto_p50_minutes: predicted?.p50 ?? null,
      rto_p95_minutes: predicted?.p95 ?? null,
      p_within: predicted?.p_within ?? null,
    })),
  }
}

/** Services of the model by key. */
export function servicesOf(tx: Tx, keys: readonly string[]): Promise<readonly ServiceRow[]> {
  return tx.query(sql<ServiceRow>`
    select ${serviceTable.columns} from resilience_service where key = any(${[...keys]}::text[]) order by key`)
}
