/**
 * The stream of a call in the frames of its dialect. The frames that mark the answer as complete are sent after its
 * outcome is stored; during silence the dialect's keep-alive frame is sent. Tested in chat-stream.test.ts.
 */

import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { AnswerEvent } from '../call/call.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { Writes } from '../call/writes.ts'
import type { StreamWriter } from '../dialects/dialect.ts'

export interface StreamEnd {
  /** Stores the outcome. @throws ProblemError in the place of the last frames */
  finish(): Promise<void>
  /** Stores the outcome of a stream that broke. @throws ProblemError */
  fail(error: unknown): Promise<void>
  /** The client disconnected before the whole answer was read. */
  abandon(rest: RestOfAnswer): void
}

/** The rest of the answer, from the point where its reader stopped. */
export type RestOfAnswer = AsyncIterator<AnswerEvent> | Iterator<AnswerEvent>

interface Frames {
  readonly state: WithLife & WithAnswer & Writes<WithAnswer>
  readonly writer: StreamWriter
  readonly end: StreamEnd
}

/** Milliseconds of silence after which a keep-alive frame is sent. */
const keepAliveMs = 15_000

export function streamFrames(kernel: Pick<Kernel, 'clock'>, frames: Frames): AsyncIterable<string> {
  return withKeepAlive(kernel, frames.writer.keepAlive, writeFrames(frames))
}

async function* writeFrames({ state, writer, end }: Frames): AsyncGenerator<string> {
  let settled = false
  const rest = iteratorOf(state)
  try {
    const last: string[] = []
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      // Events read before the call was aborted, and events from the cache, are stopped only by this check.
      state.life.abort.throwIfAborted()
      const event = next.value
      const written = writer.push(event)
      if (isLast(event, last)) last.push(...written)
      else if (written.length > 0) {
        state.write({ answer: { released: true } })
        yield* written
      }
    }
    await end.finish()
    settled = true
    yield* last
    yield* writer.end()
  } catch (error) {
    if (settled) throw error
    settled = true
    yield* writer.fail(await problemOf(end, error))
  } finally {
    if (!settled) end.abandon(rest)
    else await rest.return?.()
  }
}

/** Whether the event marks the answer, or a choice of it, as complete. */
function isLast({ type }: AnswerEvent, held: readonly string[]): boolean {
  return type === 'finish' || (type === 'usage' && held.length > 0)
}

/** An iterator instead of a `for await` loop, which would close the answer when the client disconnects. */
function iteratorOf({ answer: { flow: answer } }: WithAnswer): RestOfAnswer {
  if (answer === null) return [][Symbol.iterator]()
  return answer.kind === 'stream' ? answer.events[Symbol.asyncIterator]() : answer.events[Symbol.iterator]()
}

async function problemOf(end: StreamEnd, error: unknown): Promise<ProblemError> {
  const problem: unknown = await end.fail(error).then(
    () => null,
    (ended: unknown) => ended,
  )
  if (!(problem instanceof ProblemError)) throw problem ?? error
  return problem
}

async function* withKeepAlive(
  { clock }: Pick<Kernel, 'clock'>,
  keepAlive: string,
  frames: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    let next = frames.next()
    while (true) {
      const result = await orQuiet(clock, next)
      if (result === 'quiet') {
        yield keepAlive
        continue
      }
      if (result.done) return
      yield result.value
      next = frames.next()
    }
  } finally {
    // Not awaited: it ends together with the provider's read, which was aborted.
    void frames.return(undefined)
  }
}

function orQuiet<T>(clock: Kernel['clock'], next: Promise<T>): Promise<T | 'quiet'> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(keepAliveMs, () => resolve('quiet'))
    next.then(resolve, reject).finally(() => timer.stop())
  })
}
