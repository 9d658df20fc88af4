/**
 * `Server-Timing` (https://www.w3.org/TR/server-timing/): the times of a call's record, for readers of an answer who do
 * not look at the log. For a stream they are known at its end and sent as a trailer. Tested in
 * ../server-timing.test.ts.
 */

import type { Trailers } from '../../../kernel/module/route.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { timingsOf } from '../records/row.ts'
import type { WriterContext } from './dialect.ts'

type Told = Pick<WriterContext, 'kernel' | 'state'>

const name = 'server-timing'

/** For a complete answer, or a refusal. `asked` is the caller's own wish; a policy may request it too. */
export function timingHeader(told: Told, asked: boolean): Readonly<Record<string, string>> {
  return isTimed(told.state, asked) && !streams(told.state) ? { [name]: timingText(told) } : {}
}

/** For a stream. */
export function timingTrailer(told: Told, asked: boolean): Trailers {
  if (!isTimed(told.state, asked)) return { names: [], read: () => ({}) }
  return { names: [name], read: () => ({ [name]: timingText(told) }) }
}

function isTimed({ plan: { policy } }: WithPlan, asked: boolean): boolean {
  return asked || policy.effective.reporting.server_timing
}

/** A refusal is always complete, even if a stream was requested. */
export function streams({ facts, progress: { error } }: WithFacts & WithProgress): boolean {
  return facts.asked.stream && error === null
}

function timingText({ kernel, state }: Told): string {
  const {
    upstream_ms: upstream,
    ttft_ms: ttft,
    queue_ms: queue = 0,
    total_ms: total,
  } = timingsOf(state, kernel.clock.monotonic())
  const waits = { upstream, ...(ttft === null ? {} : { ttft }), queue, total }
  const all = [...state.progress.steps.map(({ name: step, ms }) => [step, ms] as const), ...Object.entries(waits)]
  return all.map(([what, ms]) => `${what};dur=${ms}`).join(', ')
}
