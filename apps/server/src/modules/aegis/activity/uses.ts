/** Uses of an agent, and whether its declaration allows them. Tested in activity.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { recordset } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { allows, type SeenUse } from '../agents/declaration.ts'
import { registrableDomain } from '../agents/registrable-domain.ts'
import type { AgentRow } from '../agents/schema.ts'
import { agentUses } from '../agents/tables.ts'
import { tellDrift } from '../agents/telling/drift.ts'
import type { ActivityRecord } from './record/record.ts'

const classLabel = /^private:(public|internal|confidential|restricted)$/

/** Uses in one event: its tool, model, destination and the data classes that its labels claim. */
export function usesIn(record: ActivityRecord): readonly SeenUse[] {
  const { type, tool, server, provider, model, destination, labels } = record
  return [
    ...(type === 'tool.call' && tool !== null ? [{ kind: 'tool' as const, name: `${server ?? 'local'}/${tool}` }] : []),
    ...(type === 'llm.call' && model !== null
      ? [{ kind: 'model' as const, name: `${provider ?? 'unknown'}/${model}` }]
      : []),
    ...(destination === null ? [] : [{ kind: 'destination' as const, name: registrableDomain(destination) }]),
    ...labels.flatMap((label) => {
      const name = classLabel.exec(label)?.[1]
      return name === undefined ? [] : [{ kind: 'data_class' as const, name }]
    }),
  ]
}

interface Tally extends SeenUse {
  readonly agent_id: string
  readonly calls: number
  readonly first_seen_at: string
  readonly last_seen_at: string
}

/** Kinds of uses of one agent that are kept: names of others could make them endless. */
const mostUses = 5_000

/** Counts uses, and notes on the agent when it was seen and whether it drifts from its declaration. */
export async function noteUses(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { agent, records }: { readonly agent: AgentRow; readonly records: readonly ActivityRecord[] },
): Promise<void> {
  if (records.length === 0) return
  const tallies = tallied(agent.id, records)
  const fresh = tallies.length === 0 ? [] : await upsert(tx, agent.id, tallies)
  const undeclared = fresh.filter((use) => !allows(agent, use))
  await tellDrift(kernel, tx, { agent, uses: undeclared })
  const times = records.map(({ time }) => time).toSorted()
  const [first = kernel.clock.iso(), last = first] = [times[0], times.at(-1)]
  await tx.execute(sql`
    update aegis_agent set
      last_seen_at = greatest(last_seen_at, ${last}::timestamptz),
      scored_until = coalesce(scored_until, date_trunc('hour', ${first}::timestamptz)),
      has_drift = has_drift or ${undeclared.length > 0}
    where id = ${agent.id}`)
}

function tallied(agentId: string, records: readonly ActivityRecord[]): readonly Tally[] {
  const found = new Map<string, Tally>()
  for (const record of records)
    for (const use of usesIn(record)) {
      const key = `${use.kind}:${use.name}`
      const { time } = record
      const before = found.get(key)
      found.set(key, {
        ...use,
        agent_id: agentId,
        calls: (before?.calls ?? 0) + 1,
        first_seen_at: before === undefined || time < before.first_seen_at ? time : before.first_seen_at,
        last_seen_at: before === undefined || time > before.last_seen_at ? time : before.last_seen_at,
      })
    }
  return [...found.values()]
}

/** Gives the uses that were never seen before. */
async function upsert(tx: Tx, agentId: string, tallies: readonly Tally[]): Promise<readonly SeenUse[]> {
  const rows = await tx.query(
    sql<SeenUse & { readonly fresh: boolean }>`
      insert into aegis_agent_use (agent_id, kind, name, calls, first_seen_at, last_seen_at)
      select agent_id, kind, name, calls, first_seen_at, last_seen_at from ${recordset(agentUses, tallies)} as row
      where (select count(*) from aegis_agent_use where agent_id = ${agentId}) < ${mostUses}
        or exists (select from aegis_agent_use known
          where known.agent_id = row.agent_id and known.kind = row.kind and known.name = row.name)
      on conflict (tenant_id, agent_id, kind, name) do update set
        calls = aegis_agent_use.calls + excluded.calls,
        first_seen_at = least(aegis_agent_use.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(aegis_agent_use.last_seen_at, excluded.last_seen_at)
      returning kind, name, xmax = 0 as fresh`,
  )
  return rows.filter(({ fresh }) => fresh)
}
