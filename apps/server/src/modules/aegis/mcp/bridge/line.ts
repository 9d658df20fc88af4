/**
 * A request to an upstream under way, of which messages come one by one. The call that it belongs to may wait for its
 * client meanwhile, on this instance or another. Tested in sdk-matrix.test.ts.
 */
import { Aborter, type AbortWatch } from '../../../../kernel/base/abort.ts'
import type { Clock } from '../../../../kernel/base/clock.ts'
import { type Sending, send, type UpstreamAnswer, type UpstreamLink } from '../upstream/exchange.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import type { UpstreamServer } from '../upstream/server.ts'
import type { Members, RpcId } from '../wire/json-rpc.ts'
import { answerMs } from './answers.ts'
import type { Inbox } from './inbox.ts'

/** The answer to a question of the upstream, under the id that the question has there. */
export interface Reply {
  readonly id: RpcId
  /** `result` or `error`. */
  readonly content: Members
}

export interface Line {
  /** Id of the request at the upstream. */
  readonly id: RpcId
  /** Of the upstream's answer. */
  readonly status: number
  /** Where a line that is held elsewhere is known by this name. */
  readonly place: string | null
  /** The next message; null at the end. @throws UpstreamFault */
  next(): Promise<Members | null>
  /** @throws UpstreamFault */
  reply(replies: readonly Reply[]): Promise<void>
  /** Ends with the signal until the answer is called. */
  attend(signal: AbortWatch): () => void
  close(): void
  /** Tells an upstream with sessions that the caller no longer waits. */
  abandon(): void
}

export interface Opening {
  readonly link: UpstreamLink
  readonly upstream: UpstreamServer
  readonly id: RpcId
  readonly sending: Sending
}

/** A line without questions in between, which ends with the signal of its sending. @throws UpstreamFault */
export async function openLine({ link, upstream, id, sending }: Opening): Promise<Line> {
  const answer = await send(link, upstream, sending)
  const messages = answer.messages[Symbol.asyncIterator]()
  return {
    ...{ id, status: answer.status, place: null },
    next: async () => {
      const got = await messages.next()
      return got.done === true ? null : got.value
    },
    reply: () => Promise.reject(new UpstreamFault('question', 'The MCP server cannot be answered.')),
    attend: () => () => undefined,
    ...{ close: answer.cancel, abandon: () => undefined },
  }
}

export interface LongOpening extends Opening {
  readonly clock: Pick<Clock, 'after'>
  /** Headers of the upstream's session. */
  readonly headers: Readonly<Record<string, string>>
  /** Questions that the upstream asks apart from its answer. */
  readonly inbox: Inbox
  readonly leave: () => void
  readonly abandon: () => void
}

/** A line that lasts while a person thinks: the upstream's own time runs only while nothing is asked. @throws UpstreamFault */
export async function openLongLine(opening: LongOpening): Promise<Line> {
  const { link, upstream, id, sending, clock, headers, inbox, leave, abandon } = opening
  const aborter = new Aborter()
  const patience = createPatience(clock, upstream.timeouts.call_ms, () => aborter.abort())
  const { signal, ...rest } = sending
  const unfollow = follow(aborter, signal)
  let answer: UpstreamAnswer
  try {
    answer = await send(link, upstream, { ...rest, signal: aborter, totalMs: upstream.timeouts.call_ms + answerMs })
  } catch (error) {
    leave()
    patience.stop()
    throw patience.isOver() ? late() : error
  } finally {
    unfollow()
  }
  const merged = mergeOf(answer.messages[Symbol.asyncIterator](), inbox)
  return {
    ...{ id, status: answer.status, place: null, abandon },
    next: async () => {
      patience.start()
      try {
        return await merged()
      } catch (error) {
        throw patience.isOver() ? late() : error
      } finally {
        patience.stop()
      }
    },
    reply: async (replies) => {
      for (const { id: asked, content } of replies) {
        const message = { jsonrpc: '2.0', id: asked, ...content }
        const { cancel } = await send(link, upstream, { method: 'POST', message, headers, signal: aborter })
        cancel()
      }
    },
    attend: (other) => follow(aborter, other),
    close: () => {
      leave()
      patience.stop()
      answer.cancel()
    },
  }
}

const late = (): UpstreamFault => new UpstreamFault('timeout', 'The MCP server did not answer in time.')

function follow(aborter: Aborter, signal: AbortWatch | undefined): () => void {
  if (signal === undefined) return () => undefined
  const abort = (): void => aborter.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}

function createPatience(clock: Pick<Clock, 'after'>, ms: number, end: () => void) {
  let isOver = false
  const begin = () =>
    clock.after(ms, () => {
      isOver = true
      end()
    })
  let timer = begin()
  return {
    isOver: () => isOver,
    stop: () => timer.stop(),
    start: () => {
      timer.stop()
      timer = begin()
    },
  }
}

/** The messages of the answer and those that came apart from it, each as it comes. */
function mergeOf(messages: AsyncIterator<Members>, inbox: Inbox): () => Promise<Members | null> {
  let pending: Promise<IteratorResult<Members>> | null = null
  return async () => {
    for (;;) {
      const early = inbox.take()
      if (early !== null) return early
      if (pending === null) {
        pending = messages.next()
        // While the call waits for its client there is no reader.
        pending.catch(() => undefined)
      }
      const got = await Promise.race([pending, inbox.filled()])
      if (got === null) continue
      pending = null
      return got.done === true ? null : got.value
    }
  }
}
