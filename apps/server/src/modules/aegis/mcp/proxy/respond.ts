/**
 * Messages as an HTTP answer: one JSON body where the first message is the answer, and a stream of events where something
 * comes before it. Tested in proxy.test.ts.
 */
import type { Clock } from '../../../../kernel/base/clock.ts'
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import { Answer, StreamAnswer } from '../../../../kernel/module/route.ts'
import type { Asked } from '../call/types.ts'
import { isAnswerTo, type Members } from '../wire/json-rpc.ts'
import { keepAlive, writeEvent } from '../wire/sse.ts'

export type Messages = AsyncGenerator<Members, void, undefined>
export type Reply = Answer<Members> | StreamAnswer

const keepAliveMs = 15_000
const streamHeaders = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

export async function respond(clock: Pick<Clock, 'after'>, { id }: Asked, messages: Messages): Promise<Reply> {
  const first = await messages.next()
  // A request that its client cancelled has no answer.
  if (first.done === true) return new StreamAnswer('text/event-stream', nothing(), streamHeaders)
  if (!isAnswerTo(first.value, id))
    return new StreamAnswer('text/event-stream', events(clock, first.value, messages), streamHeaders)
  await messages.return()
  return new Answer(first.value, { headers: { 'cache-control': 'no-store' } })
}

async function* nothing(): AsyncGenerator<string> {
  yield* []
}

async function* events(clock: Pick<Clock, 'after'>, first: Members, rest: Messages): AsyncGenerator<string> {
  yield writeEvent(exactJson(first))
  for await (const message of kept(clock, rest)) yield message === null ? keepAlive : writeEvent(exactJson(message))
}

/** The messages, and null for each stretch of silence. */
export async function* kept(clock: Pick<Clock, 'after'>, messages: Messages): AsyncGenerator<Members | null> {
  let next = messages.next()
  try {
    for (;;) {
      const silence = quiet(clock)
      const came = await Promise.race([next, silence.over])
      silence.stop()
      if (came === null) {
        yield null
        continue
      }
      if (came.done === true) return
      yield came.value
      next = messages.next()
    }
  } finally {
    // The pending read ends with its upstream; a client that left does not wait for it.
    void messages.return().catch(() => undefined)
    next.catch(() => undefined)
  }
}

function quiet(clock: Pick<Clock, 'after'>): { readonly over: Promise<null>; stop(): void } {
  let timer: { stop(): void } | undefined
  const over = new Promise<null>((resolve) => {
    timer = clock.after(keepAliveMs, () => resolve(null))
  })
  return { over, stop: () => timer?.stop() }
}
