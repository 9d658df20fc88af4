/** The agents that supply a baseline while one has too little past of its own. Tested in peers.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { AgentRow } from '../agents/schema.ts'
import { type PeerBucket, peerBucket } from './engine/peers.ts'
import { type BaselineState, type Bucket, isWarm, warmUp } from './engine/state.ts'

/** Agents of a group that are read at most. */
const mostPeers = 20

type Grouped = Pick<AgentRow, 'id' | 'tags' | 'risk_tier'>

/** Active agents of the same tier with a tag in common that are past their own warm-up at the hour. */
const peersOf = ({ id, tags, risk_tier: tier }: Grouped, hour: number): SqlPart => sql`
  select peer.id from aegis_agent peer join aegis_baseline base on base.agent_id = peer.id
  where peer.id <> ${id} and peer.status = 'active' and peer.risk_tier = ${tier} and peer.tags && ${[...tags]}::text[]
    and (base.state->>'since')::int <= ${hour - warmUp.days * 24}
    and (base.state->'totals'->>'calls')::float8 >= ${warmUp.calls}
  order by peer.id limit ${mostPeers}`

export async function countPeers(tx: Tx, agent: Grouped, hour: number): Promise<number> {
  if (agent.tags.length === 0) return 0
  const row = await tx.first(sql<{ n: number }>`select count(*)::int as n from (${peersOf(agent, hour)}) peers`)
  return row?.n ?? 0
}

export interface Needing {
  readonly state: BaselineState
  readonly buckets: ReadonlyMap<number, Bucket>
  /** Numbers of the buckets whose hours are scored. */
  readonly wanted: ReadonlySet<number>
  /** The first hour that is scored. */
  readonly hour: number
}

/** By bucket, for those in which the agent has too few values of its own. */
export async function readPeers(
  tx: Tx,
  agent: Grouped,
  { state, buckets, wanted, hour }: Needing,
): Promise<ReadonlyMap<number, PeerBucket>> {
  const warm = isWarm(state, hour)
  const needed = [...wanted].filter((number) => !warm || isThin(buckets.get(number)))
  if (agent.tags.length === 0 || needed.length === 0) return new Map()
  const rows = await tx.query(
    sql<{ bucket: number; rings: Bucket }>`
      select held.bucket, held.rings from aegis_baseline_bucket held
      where held.agent_id in (${peersOf(agent, hour)}) and held.bucket = any(${needed}::int[])
      order by held.bucket, held.agent_id`,
  )
  return new Map(
    needed.map((number) => [number, peerBucket(rows.filter((row) => row.bucket === number).map(({ rings }) => rings))]),
  )
}

const isThin = (bucket: Bucket | undefined): boolean => (bucket?.calls ?? []).length < warmUp.valuesInBucket
