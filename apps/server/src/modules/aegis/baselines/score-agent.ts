/** Scores the hours of an agent that are over. Tested in baselines.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, hold, write } from '../../../kernel/resource/resource.ts'
import { allows, rate } from '../agents/declaration.ts'
import { capabilityWeight } from '../agents/risk-tier.ts'
import type { AgentRow } from '../agents/schema.ts'
import { agentResource } from '../agents/tables.ts'
import { matchesWildcard } from '../agents/wildcard.ts'
import type { UseKind } from '../agents/words.ts'
import { type FoundIn, storeAnomalies } from './anomalies.ts'
import type { FirstUse } from './engine/novelty.ts'
import { scoreHour } from './engine/score-hour.ts'
import { type AttackHours, type Bucket, bucketOf, bucketWithout, stateWithout } from './engine/state.ts'
import { hourMs, quietHour, readHours } from './hours.ts'
import { readPeers } from './peers.ts'
import { readBuckets, readState, writeLearned } from './store.ts'

/** Events of an hour are waited for so long after it. */
export const graceMs = 10 * 60_000
/** Hours of one agent in one transaction; the rest is due again. */
const mostHours = 168

const isoOf = (hour: number): string => new Date(hour * hourMs).toISOString()

/** @returns how many anomalies were found */
export async function scoreAgent(kernel: Kernel, tx: Tx, agent: AgentRow): Promise<number> {
  if (agent.scored_until === null) return 0
  const first = Math.floor(Date.parse(agent.scored_until) / hourMs)
  const over = Math.floor((kernel.clock.now() - graceMs) / hourMs)
  const last = Math.min(over, first + mostHours)
  if (last <= first) return 0
  const hours = await readHours(tx, { agentId: agent.id, from: isoOf(first), to: isoOf(last) })
  const firstUses = await readFirstUses(tx, agent, { first, last })
  const attacks = await readAttacks(tx, agent.id)
  let state = stateWithout(await readState(tx, agent.id, first), attacks)
  const buckets = new Map(await readBuckets(tx, agent.id))
  const wanted = new Set(Array.from({ length: last - first }, (_, at) => bucketOf(first + at)))
  const peers = await readPeers(tx, agent, { state, buckets, wanted, hour: first })
  const changed = new Map<number, Bucket>()
  const found: FoundIn[] = []
  for (let hour = first; hour < last; hour += 1) {
    const key = bucketOf(hour)
    const seen = hours.get(hour) ?? quietHour
    const result = scoreHour(state, bucketWithout(buckets.get(key) ?? {}, attacks), {
      hour,
      ...seen,
      firstUses: firstUses.get(hour) ?? [],
      peers: peers.get(key),
    })
    state = result.state
    buckets.set(key, result.bucket)
    changed.set(key, result.bucket)
    if (result.findings.length > 0) found.push({ findings: result.findings })
  }
  await writeLearned(tx, { agentId: agent.id, state, buckets: changed, at: kernel.clock.iso() })
  await noteScored(kernel, tx, agent, { until: isoOf(last), dayCalls: state.dayCalls })
  return storeAnomalies(kernel, tx, agent, found)
}

/** Windows that the resolution of their alert confirmed, as far back as values are kept. */
function readAttacks(tx: Tx, agentId: string): Promise<readonly AttackHours[]> {
  return tx.query(
    sql<AttackHours>`
      select floor(extract(epoch from window_start) / 3600)::int as "from",
        ceil(extract(epoch from window_end) / 3600)::int as "to"
      from aegis_anomaly where agent_id = ${agentId} and label = 'true_positive' order by window_start desc limit 200`,
  )
}

interface UseTime {
  readonly hour: number
  readonly kind: UseKind
  readonly name: string
}

async function readFirstUses(
  tx: Tx,
  agent: AgentRow,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<ReadonlyMap<number, readonly FirstUse[]>> {
  const rows = await tx.query(
    sql<UseTime>`
      select floor(extract(epoch from first_seen_at) / 3600)::int as hour, kind, name from aegis_agent_use
      where agent_id = ${agent.id} and first_seen_at >= ${isoOf(first)} and first_seen_at < ${isoOf(last)}
      order by first_seen_at, kind, name limit 1000`,
  )
  const byHour = new Map<number, FirstUse[]>()
  for (const { hour, kind, name } of rows) {
    const use = { kind, name, capability: capabilityOf(agent, kind, name), declared: allows(agent, { kind, name }) }
    byHour.set(hour, [...(byHour.get(hour) ?? []), use])
  }
  return byHour
}

/** Capability of a declared use; an undeclared use counts as capable of everything. */
function capabilityOf(agent: AgentRow, kind: UseKind, name: string): number {
  if (!allows(agent, { kind, name })) return 1
  if (kind !== 'tool') return kind === 'destination' ? capabilityWeight.external_send : 0
  const at = name.indexOf('/')
  const matching = agent.tools.filter(
    ({ server_slug, tool }) =>
      matchesWildcard(server_slug, name.slice(0, at)) && matchesWildcard(tool, name.slice(at + 1)),
  )
  return Math.max(0, ...matching.map(({ capability }) => capabilityWeight[capability]))
}

interface Scored {
  readonly until: string
  readonly dayCalls: readonly number[]
}

/** Notes how far the agent is scored, and its rating where its calls move that. */
async function noteScored(kernel: Kernel, tx: Tx, { id }: AgentRow, { until, dayCalls }: Scored): Promise<void> {
  const held = await hold(tx, agentResource, { id, precondition: anyVersion })
  const { row } = held
  const callsPerDay =
    dayCalls.length === 0 ? row.calls_per_day : dayCalls.reduce((sum, calls) => sum + calls, 0) / dayCalls.length
  const rating = rate(row, { callsPerDay, raisedTier: row.raised_tier })
  const changes = { scored_until: until, calls_per_day: callsPerDay, ...rating }
  if (rating.risk_tier === row.risk_tier && rating.risk_score === row.risk_score)
    await tx.execute(
      sql`update aegis_agent set scored_until = ${until}, calls_per_day = ${callsPerDay} where id = ${id}`,
    )
  else if (rating.risk_tier === row.risk_tier) await write(kernel, tx, held, changes)
  else await change(kernel, tx, held, { action: 'aegis.agent.update', changes, reason: 'The calls per day changed.' })
}
