/** Requests that call no tool: resources, prompts, completions, subscriptions. They are looked at, labelled and recorded. */
import { refusals, refused } from '../call/refusals.ts'
import type { Asked } from '../call/types.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Members, resultOf } from '../wire/json-rpc.ts'
import type { Progress } from './finish.ts'
import { answeredHere } from './methods.ts'
import { note } from './note.ts'
import { outgoingOf } from './outgoing.ts'
import { relay } from './relay.ts'
import type { Messages } from './respond.ts'
import type { ProxyServices } from './services.ts'

export async function* pass(services: ProxyServices, asked: Asked): Messages {
  const { caller, facts, method, id } = asked
  if (caller.server.row.era !== facts.era && answeredHere.has(method)) return yield { ...resultOf(id, {}) }
  const running = services.running.begin(asked, null)
  const progress: Progress = {
    ...{ asked, call: null, argsSha256: null, hits: [], detections: new Set<string>(), latency: {}, changed: false },
  }
  try {
    const outgoing = await outgoingOf(services, { asked, params: asked.params })
    yield* relay(services, { progress, outgoing, running })
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

/** One message as messages. */
export async function* only(message: Members): Messages {
  yield message
}
