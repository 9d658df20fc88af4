/** The flow of a session as a graph: calls with their counts, and the order of steps. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { FlowGraph } from './schema.ts'

type Node = FlowGraph['nodes'][number]
type Edge = FlowGraph['edges'][number]

/** Steps of a session that the graph is made from. */
const mostSteps = 10_000

const steps = (sessionId: string) => sql`
  steps as (
    select seq, outcome, case
        when type = 'tool.call' then 'tool'
        when type = 'llm.call' then 'model'
        when type = 'egress' then 'destination'
        else 'other' end as kind,
      case
        when type = 'tool.call' then coalesce(server, 'local') || '/' || tool
        when type = 'llm.call' then coalesce(provider, 'unknown') || '/' || coalesce(model, 'unknown')
        when type = 'egress' then coalesce(destination, 'unknown')
        else type end as name
    from aegis_activity
    where session_id = ${sessionId} and type not in ('session.start', 'session.end', 'error')
    order by seq limit ${mostSteps})`

export async function flowGraph(tx: Tx, sessionId: string, agentId: string): Promise<FlowGraph> {
  const nodes = await tx.query(
    sql<Node>`with ${steps(sessionId)}
      select kind || ':' || name as id, kind, name, count(*)::int as calls,
        (count(*) filter (where outcome in ('tool_error', 'protocol_error', 'timeout', 'denied')))::int as failed
      from steps group by kind, name order by calls desc, id limit 500`,
  )
  const follows = await tx.query(
    sql<Edge>`with ${steps(sessionId)}, pairs as (
        select lag(kind || ':' || name) over (order by seq) as "from", kind || ':' || name as "to" from steps)
      select "from", "to", 'then' as kind, count(*)::int as count from pairs
      where "from" is not null group by "from", "to" order by count desc, "from", "to" limit 1000`,
  )
  const calls = nodes.reduce((sum, node) => sum + node.calls, 0)
  const failed = nodes.reduce((sum, node) => sum + node.failed, 0)
  const agent: Node = { id: `agent:${agentId}`, kind: 'agent', name: agentId, calls, failed }
  const called = nodes.map((node): Edge => ({ from: agent.id, to: node.id, kind: 'calls', count: node.calls }))
  return { nodes: [agent, ...nodes], edges: [...called, ...follows] }
}
