/** Requests that call no tool: resources, prompts, completions, subscriptions. They are looked at, labelled and recorded. */

import { subscribed } from '../bridge/listening.ts'
import { type Refusal, refusals, refused } from '../call/refusals.ts'
import type { Asked } from '../call/types.ts'
import { ownClient } from '../upstream/ask.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { isAnswerTo, type Members, objectOf, resultOf } from '../wire/json-rpc.ts'
import type { Progress } from './finish.ts'
import { noteListChange } from './list-change.ts'
import { answeredHere } from './methods.ts'
import { type Ending, note } from './note.ts'
import { outgoingOf, resumedOutgoing } from './outgoing.ts'
import { isUnpinned } from './pinned-lists.ts'
import { relay } from './relay.ts'
import type { Messages } from './respond.ts'
import type { ProxyServices } from './services.ts'

export async function* pass(services: ProxyServices, asked: Asked): Messages {
  const { caller, facts, method, id } = asked
  const isBridged = caller.server.row.era !== facts.era
  if (isBridged && method === 'subscriptions/listen') return yield* listen(services, asked)
  if (isBridged && answeredHere.has(method)) return yield { ...resultOf(id, {}) }
  if (isUnpinned(asked)) return yield* refusedAs(services, asked, refusals.notPinned)
  const running = services.running.begin(asked, null)
  const progress: Progress = {
    ...{ asked, call: null, argsSha256: null, hits: [], detections: new Set<string>(), latency: {}, changed: false },
  }
  try {
    const resumed = services.parking.find(asked)
    if (resumed === 'over') return yield* refusedAs(services, asked, refusals.over)
    const outgoing =
      resumed === null ? await outgoingOf(services, { asked, params: asked.params }) : resumedOutgoing(resumed.line)
    yield* relay(services, { progress, outgoing, running, ...(resumed === null ? {} : { replies: resumed.replies }) })
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    await note(services, asked, {
      decision: 'allowed',
      outcome: 'protocol_error',
      errorCode: refusals.upstream.errorCode,
    })
    yield { ...refused(id, refusals.upstream, false) }
  } finally {
    running.end()
  }
}

/** Changes of an older server, for a client without sessions. On record when it ends. */
async function* listen(services: ProxyServices, asked: Asked): Messages {
  const { caller, facts, params, id } = asked
  const running = services.running.begin(asked, null)
  let ending: Ending = { decision: 'allowed', outcome: 'cancelled' }
  try {
    const messages = subscribed({
      ...{ link: services.link, upstream: caller.server.upstream, clientInfo: facts.clientInfo ?? ownClient },
      ...{ asked: objectOf(params.notifications), id, signal: running.signal },
    })
    for await (const message of messages) {
      noteListChange(services, caller, message)
      if (isAnswerTo(message, id)) ending = { decision: 'allowed', outcome: 'succeeded' }
      yield message
    }
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    if (running.signal.aborted) return
    ending = { decision: 'allowed', outcome: 'protocol_error', errorCode: refusals.upstream.errorCode }
    yield { ...refused(id, refusals.upstream, false) }
  } finally {
    running.end()
    await note(services, asked, ending)
  }
}

async function* refusedAs(services: ProxyServices, asked: Asked, refusal: Refusal): Messages {
  await note(services, asked, { decision: 'denied', outcome: 'denied', errorCode: refusal.errorCode })
  yield { ...refused(asked.id, refusal, false) }
}

/** One message as messages. */
export async function* only(message: Members): Messages {
  yield message
}
