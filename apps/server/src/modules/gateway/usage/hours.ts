/** The few counts of each hour that the trust score is made from. Pure; rollup.ts stores them. Tested in hours.test.ts. */
import type { RequestRow } from '../schemas/request.ts'

/** Members read from a log row. */
export interface HourlyCall
  extends Pick<RequestRow, 'offline' | 'status' | 'policies' | 'policy_mode' | 'usage' | 'fail_open' | 'finished_at'> {
  readonly hour: string
  readonly has_entities: boolean
  readonly leaked: boolean
}

export interface Hour {
  readonly hour: string
  readonly offline: boolean
  calls: number
  blocked: number
  enforced: number
  fail_open: number
  with_entities: number
  leaked: number
  input_tokens: number
  output_tokens: number
  last_at: string
}

/**
 * In one order everywhere, so that two handlers never wait for each other. A call that ended before its policies were
 * resolved says nothing about the policies in force, so sending such calls does not change a score.
 */
export function hoursOf(calls: readonly HourlyCall[]): readonly Hour[] {
  const hours = new Map<string, Hour>()
  for (const call of calls.filter(({ policies }) => policies.length > 0)) {
    const key = `${call.hour} ${call.offline}`
    const hour = hours.get(key) ?? emptyHour(call)
    hours.set(key, hour)
    add(hour, call)
  }
  return [...hours].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, hour]) => hour)
}

/** The hour that subtracts the same calls again. */
export function negative(hour: Hour): Hour {
  const { calls, blocked, enforced, fail_open, with_entities, leaked, input_tokens, output_tokens } = hour
  return {
    ...hour,
    calls: -calls,
    blocked: -blocked,
    enforced: -enforced,
    fail_open: -fail_open,
    with_entities: -with_entities,
    leaked: -leaked,
    input_tokens: -input_tokens,
    output_tokens: -output_tokens,
  }
}

function add(hour: Hour, call: HourlyCall): void {
  hour.calls += 1
  hour.blocked += Number(call.status === 'blocked')
  hour.enforced += Number(call.policy_mode === 'enforce')
  hour.fail_open += Number(call.fail_open.length > 0)
  hour.with_entities += Number(call.has_entities)
  hour.leaked += Number(call.leaked)
  hour.input_tokens += call.usage?.prompt_tokens ?? 0
  hour.output_tokens += call.usage?.completion_tokens ?? 0
  if (call.finished_at > hour.last_at) hour.last_at = call.finished_at
}

function emptyHour({ hour, offline, finished_at: last_at }: HourlyCall): Hour {
  const none = { calls: 0, blocked: 0, enforced: 0, fail_open: 0, with_entities: 0, leaked: 0 }
  return { hour, offline, ...none, input_tokens: 0, output_tokens: 0, last_at }
}
