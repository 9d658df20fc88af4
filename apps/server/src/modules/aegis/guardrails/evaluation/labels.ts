/**
 * Which recorded calls were attacks, by the resolutions of alerts: a call is of an alert that names its session, or its
 * agent at the time of the alert. A confirmed attack wins over a false alarm. Tested in evaluation.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Database } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Window } from './schema.ts'

export interface Labels {
  of(call: { readonly sessionId: string; readonly agentId: string; readonly atMs: number }): boolean | null
}

interface Resolved {
  readonly resolution: string
  readonly entity_keys: readonly string[]
  readonly first_seen: string
  readonly last_seen: string
}

const mostAlerts = 5_000

export async function readLabels(
  db: Pick<Database, 'read'>,
  tenantId: TenantId,
  { from, to }: Window,
): Promise<Labels> {
  const alerts = await db.read(
    tenantId,
    sql<Resolved>`
      select resolution, entity_keys, first_seen, last_seen from aegis_alert
      where resolution in ('true_positive', 'false_positive', 'benign_true_positive')
        and last_seen >= ${from} and first_seen < ${to}
      order by last_seen desc, id limit ${mostAlerts}`,
  )
  return labelsOf(alerts)
}

/** Pure. */
export function labelsOf(alerts: readonly Resolved[]): Labels {
  const byKey = new Map<string, Resolved[]>()
  for (const alert of alerts) for (const key of alert.entity_keys) byKey.set(key, [...(byKey.get(key) ?? []), alert])
  return {
    of: ({ sessionId, agentId, atMs }) => {
      const ofSession = byKey.get(`session:${sessionId}`) ?? []
      const ofAgent = (byKey.get(`agent:${agentId}`) ?? []).filter(
        ({ first_seen, last_seen }) => Date.parse(first_seen) <= atMs && atMs <= Date.parse(last_seen),
      )
      const all = [...ofSession, ...ofAgent]
      if (all.length === 0) return null
      return all.some(({ resolution }) => resolution === 'true_positive')
    },
  }
}
