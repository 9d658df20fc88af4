/** Labels in force, kept where every instance reads them. Tested in proxy.test.ts. */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { notHeld } from '../../../../kernel/data-registry/holds.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import { taints } from '../declared/tables.ts'

export interface LabelPlace {
  readonly tenantId: TenantId
  readonly agentId: string
  readonly key: string
}

/** A conversation without a call for so long is over. */
const conversationMs = 30 * 60_000
const agentWideMs = 24 * 3_600_000

const since = (key: string, now: number): string =>
  new Date(now - (key === 'agent' ? agentWideMs : conversationMs)).toISOString()

type Parts = Pick<Kernel, 'db' | 'clock'>

export async function readLabels(
  { db, clock }: Parts,
  { tenantId, agentId, key }: LabelPlace,
): Promise<ReadonlySet<string>> {
  const [row] = await db.read(
    tenantId,
    sql<{ labels: string[] }>`select labels from aegis_mcp_taint
      where agent_id = ${agentId} and key = ${key} and updated_at > ${since(key, clock.now())}`,
  )
  return new Set(row?.labels)
}

/** Adds labels; those of a conversation that is over are gone. Resolves when they are stored. */
export async function addLabels(
  { db, clock }: Parts,
  { tenantId, agentId, key }: LabelPlace,
  labels: readonly string[],
): Promise<void> {
  await db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      insert into aegis_mcp_taint (agent_id, key, labels, updated_at)
      values (${agentId}, ${key}, ${[...labels]}::text[], ${clock.iso()})
      on conflict (tenant_id, agent_id, key) do update set updated_at = excluded.updated_at, labels =
        case when aegis_mcp_taint.updated_at > ${since(key, clock.now())} then (
          select array_agg(distinct label order by label) from unnest(aegis_mcp_taint.labels || excluded.labels) as label)
        else excluded.labels end`),
  )
}

export const removeLabels: JobDeclaration<unknown> = {
  kind: 'aegis.mcp_taint.remove',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }) => sql`exists (
    select from aegis_mcp_taint old where old.tenant_id = tenant.id and old.updated_at <= ${ago(agentWideMs)})`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const before = new Date(kernel.clock.now() - agentWideMs).toISOString()
      await tx.execute(sql`delete from aegis_mcp_taint where updated_at <= ${before} and ${notHeld(taints)}`)
    }),
}
