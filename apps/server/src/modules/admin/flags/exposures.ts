/**
 * Counts the served variants in memory, and writes the counts every ten seconds and at the end: a row per
 * evaluation would cost more than the evaluation. Keeps the last contexts of each tenant in memory only, to predict
 * the effect of a change. A process that dies loses its last ten seconds. Tested in flags.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Exposures } from '../services/exposures.ts'
import type { Attributes } from './engine/constraints.ts'

interface Count {
  readonly flagId: string
  readonly variant: string
  readonly day: string
  evaluations: number
  at: string
}

const writeEveryMs = 10_000
/** Contexts remembered per tenant, and tenants. */
const mostContexts = 1000
const mostTenants = 200

export function createExposures(kernel: Pick<Kernel, 'clock' | 'db' | 'background'>): Exposures {
  let counts = new Map<TenantId, Map<string, Count>>()
  const contexts = new Map<TenantId, Attributes[]>()
  let timer: { stop(): void } | null = null
  let writing: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    const taken = counts
    counts = new Map()
    for (const [tenantId, ofTenant] of taken) await store(kernel, tenantId, [...ofTenant.values()])
  }
  const flush = (): Promise<void> => {
    writing = writing.then(write, write)
    return writing
  }
  return {
    name: 'flag exposures',
    served: (tenantId, flagId, variant) => {
      const at = kernel.clock.iso()
      const day = at.slice(0, 10)
      const ofTenant = counts.get(tenantId) ?? new Map<string, Count>()
      counts.set(tenantId, ofTenant)
      const name = `${flagId} ${day} ${variant}`
      const count = ofTenant.get(name) ?? { flagId, variant, day, evaluations: 0, at }
      count.evaluations += 1
      count.at = at
      ofTenant.set(name, count)
    },
    asked: (tenantId, context) => {
      const known = heldContexts(contexts, tenantId)
      known.push(context)
      if (known.length > 2 * mostContexts) known.splice(0, known.length - mostContexts)
    },
    recent: (tenantId) =>
      tenantId === platformTenant
        ? [...contexts.values()].flatMap((known) => known.slice(-mostContexts))
        : (contexts.get(tenantId) ?? []).slice(-mostContexts),
    flush,
    start: async () => {
      timer = kernel.clock.every(writeEveryMs, () => kernel.background('flag exposures', flush()))
    },
    stop: async () => {
      timer?.stop()
      await flush()
    },
  }
}

/** Those of the tenant, kept from now on; the oldest tenant's go when there are too many. */
function heldContexts(contexts: Map<TenantId, Attributes[]>, tenantId: TenantId): Attributes[] {
  const known = contexts.get(tenantId)
  if (known !== undefined) return known
  const made: Attributes[] = []
  contexts.set(tenantId, made)
  const [oldest] = contexts.keys()
  if (contexts.size > mostTenants && oldest !== undefined) contexts.delete(oldest)
  return made
}

async function store({ db }: Pick<Kernel, 'db'>, tenantId: TenantId, counts: readonly Count[]): Promise<void> {
  const column = <T>(pick: (count: Count) => T): T[] => counts.map(pick)
  await db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      insert into admin_flag_exposure (flag_id, variant, day, evaluations, last_at)
      select u.flag_id, u.variant, u.day, u.evaluations, u.last_at
      from unnest(
        ${column(({ flagId }) => flagId)}::uuid[], ${column(({ variant }) => variant)}::text[],
        ${column(({ day }) => day)}::date[], ${column(({ evaluations }) => evaluations)}::bigint[],
        ${column(({ at }) => at)}::timestamptz[]) as u (flag_id, variant, day, evaluations, last_at)
      where exists (select 1 from admin_flag f where f.id = u.flag_id)
      on conflict (tenant_id, flag_id, variant, day) do update set
        evaluations = admin_flag_exposure.evaluations + excluded.evaluations,
        last_at = greatest(admin_flag_exposure.last_at, excluded.last_at)`),
  )
}
