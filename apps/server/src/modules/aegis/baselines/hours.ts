/** Activity of an agent in each hour, read from its events in one pass. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { HourValues } from './engine/features.ts'

export const hourMs = 3_600_000

export interface AgentHour {
  readonly values: HourValues
  readonly tools: Readonly<Record<string, number>>
  readonly sequences: readonly (readonly string[])[]
}

interface Counted extends HourValues {
  readonly hour: number
  readonly failed: number
}

export interface HourSpan {
  readonly agentId: string
  /** ISO, full hours. */
  readonly from: string
  readonly to: string
}

const isCall = sql`type in ('llm.call', 'tool.call', 'retrieval', 'handoff', 'egress')`
const hourOf = sql`floor(extract(epoch from time) / 3600)::int`
const toolName = sql`coalesce(server, 'local') || '/' || tool`

export const quietHour: AgentHour = {
  values: {
    ...{ calls: 0, tokens_in: 0, tokens_out: 0, cost: 0, error_ratio: 0, distinct_tools: 0 },
    ...{ distinct_destinations: 0, bytes_out: 0, denied: 0, median_gap: null },
  },
  tools: {},
  sequences: [],
}

/** By hours since 1970; hours without events are not there. */
export async function readHours(tx: Tx, span: HourSpan): Promise<ReadonlyMap<number, AgentHour>> {
  const counted = await countHours(tx, span)
  if (counted.length === 0) return new Map()
  const [tools, sequences] = [await countTools(tx, span), await readSequences(tx, span)]
  return new Map(
    counted.map(({ hour, failed, ...values }) => [
      hour,
      {
        values: { ...values, error_ratio: values.calls === 0 ? 0 : Math.min(1, failed / values.calls) },
        tools: Object.fromEntries(tools.filter((each) => each.hour === hour).map(({ tool, calls }) => [tool, calls])),
        sequences: sequences.filter((each) => each.hour === hour).map((each) => each.tools),
      },
    ]),
  )
}

const inSpan = ({ agentId, from, to }: HourSpan) => sql`agent_id = ${agentId} and time >= ${from} and time < ${to}`

function countHours(tx: Tx, span: HourSpan): Promise<readonly Counted[]> {
  return tx.query(
    sql<Counted>`
      with events as (
        select *, extract(epoch from time - lag(time) over (partition by ${hourOf} order by time))::float8 as gap
        from aegis_activity where ${inSpan(span)} and ${isCall})
      select ${hourOf} as hour, count(*)::int as calls,
        coalesce(sum(tokens_in), 0)::float8 as tokens_in, coalesce(sum(tokens_out), 0)::float8 as tokens_out,
        coalesce(sum(cost), 0)::float8 as cost, 0::float8 as error_ratio,
        (count(*) filter (where outcome in ('tool_error', 'protocol_error', 'timeout')))::int as failed,
        (count(distinct ${toolName}))::int as distinct_tools,
        (count(distinct destination))::int as distinct_destinations,
        coalesce(sum(bytes_out), 0)::float8 as bytes_out,
        (count(*) filter (where outcome = 'denied'))::int as denied,
        (percentile_cont(0.5) within group (order by gap))::float8 as median_gap
      from events group by 1`,
  )
}

interface ToolCount {
  readonly hour: number
  readonly tool: string
  readonly calls: number
}

function countTools(tx: Tx, span: HourSpan): Promise<readonly ToolCount[]> {
  return tx.query(
    sql<ToolCount>`
      select ${hourOf} as hour, ${toolName} as tool, count(*)::int as calls from aegis_activity
      where ${inSpan(span)} and type = 'tool.call' and tool is not null group by 1, 2`,
  )
}

/** Calls of one session and hour that are looked at. */
const mostSteps = 2_000

function readSequences(tx: Tx, span: HourSpan) {
  return tx.query(
    sql<{ hour: number; tools: string[] }>`
      select ${hourOf} as hour, (array_agg(${toolName} order by time, seq))[1:${mostSteps}::int] as tools
      from aegis_activity where ${inSpan(span)} and type = 'tool.call' and tool is not null group by 1, session_id`,
  )
}
