/**
 * Sends a request upstream and passes on what comes back, message by message. Promises that the upstream is told when the
 * caller leaves or a kill switch ends the call, and that every end is recorded once. Tested in proxy.test.ts.
 */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Outcome } from '../../activity/record/words.ts'
import { type Refusal, refusals, refused } from '../call/refusals.ts'
import { textsIn } from '../inspect/texts.ts'
import { createWindow } from '../inspect/window.ts'
import { send, type UpstreamAnswer } from '../upstream/exchange.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { isAnswerTo } from '../wire/json-rpc.ts'
import { finish, inspect, type Progress, record } from './finish.ts'
import { noteListChange } from './list-change.ts'
import type { Outgoing } from './outgoing.ts'
import type { Messages } from './respond.ts'
import type { Running } from './running.ts'
import type { ProxyServices } from './services.ts'

export interface Relaying {
  readonly progress: Progress
  readonly outgoing: Outgoing
  readonly running: Running
}

/** Milliseconds of a stream of changes, which has no end of its own. */
const longestListenMs = 3_600_000

/** The messages of the answer; the last one is the answer itself. */
export async function* relay(services: ProxyServices, relaying: Relaying): Messages {
  const { progress, outgoing, running } = relaying
  const { asked, latency } = progress
  const startedMs = services.kernel.clock.monotonic()
  let answer: UpstreamAnswer | null = null
  let isRecorded = false
  try {
    answer = await send(services.link, asked.caller.server.upstream, {
      ...{ method: 'POST' as const, message: outgoing.message, headers: outgoing.headers, signal: running.signal },
      ...(asked.method === 'subscriptions/listen' ? { totalMs: longestListenMs } : {}),
    })
    if (answer.status === 404 && outgoing.isSession)
      throw new UpstreamFault('session', 'The MCP server has ended the session.')
    for await (const message of passed(services, relaying, answer)) {
      if (!isAnswerTo(message, outgoing.id)) {
        yield message
        continue
      }
      latency.upstream = Math.round((services.kernel.clock.monotonic() - startedMs) * 1_000) / 1_000
      isRecorded = true
      yield await finish(services, progress, { ...outgoing.adapt(message), id: asked.id })
      return
    }
    throw new UpstreamFault('status', `The MCP server gave no answer (${answer.status}).`)
  } catch (error) {
    if (isRecorded || !(error instanceof UpstreamFault)) throw error
    isRecorded = true
    yield* failed(services, relaying, error)
  } finally {
    answer?.cancel()
    if (!isRecorded) await record(services, progress, { decision: 'allowed', outcome: 'cancelled' })
    if (!isRecorded || running.signal.aborted) outgoing.abandon()
  }
}

/** Everything that comes before the answer is looked at too, and passed on. */
async function* passed(services: ProxyServices, { progress, outgoing }: Relaying, answer: UpstreamAnswer): Messages {
  const window = createWindow()
  for await (const message of answer.messages) {
    if (isAnswerTo(message, outgoing.id)) {
      yield message
      return
    }
    const isLoose = message.error !== undefined && (message.id === undefined || message.id === null)
    if (isLoose) {
      // A transport's own refusal carries no id.
      yield { ...message, id: outgoing.id }
      return
    }
    const { text } = textsIn(message)
    if (text !== '')
      for (const found of (await inspect(services, window.next(text))).detections) progress.detections.add(found)
    noteListChange(services, progress.asked.caller, message)
    yield message
  }
}

async function* failed(
  services: ProxyServices,
  { progress, outgoing, running }: Relaying,
  fault: UpstreamFault,
): Messages {
  const { asked } = progress
  const [refusal, outcome] = endOf(fault, running)
  await record(services, progress, {
    decision: outcome === 'denied' ? 'denied' : 'allowed',
    ...{ outcome, errorCode: refusal?.errorCode ?? null },
  })
  if (fault.kind === 'session') outgoing.sessionEnded()
  // 404 tells a client with sessions to open another one.
  if (fault.kind === 'session' && asked.session?.era === 'legacy')
    throw apiErrors.notFound({ what: 'MCP session' }).withMembers({ rpc_id: asked.id })
  if (refusal !== null) yield { ...refused(asked.id, refusal, false) }
}

/** Null for a caller who is gone. */
function endOf(fault: UpstreamFault, running: Running): readonly [Refusal | null, Outcome] {
  if (running.wasKilled()) return [refusals.killed, 'denied']
  if (fault.kind === 'aborted') return [null, 'cancelled']
  if (fault.kind === 'timeout') return [refusals.timeout, 'timeout']
  if (fault.kind === 'too_large' || fault.kind === 'unreadable') return [refusals.inspection, 'protocol_error']
  return [refusals.upstream, 'protocol_error']
}
