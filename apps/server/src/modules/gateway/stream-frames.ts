/**
 * The enveloped stream: `chunk` frames as the answer comes, then `completed` and `done`, or `error`. Promises that the
 * frames that say the answer is complete leave after its outcome is stored; a quiet stream is kept alive by comments.
 * Tested in chat-stream.test.ts.
 */

import { problemBody } from '../../kernel/http/envelope.ts'
import { ProblemError } from '../../kernel/http/problem.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { RequestInfo } from '../../kernel/route.ts'
import type { AnswerEvent } from './call/call.ts'
import type { CallState } from './pipeline/call-state.ts'

export interface StreamEnd {
  /** Stores the outcome. @throws ProblemError in the place of the last frames */
  finish(): Promise<void>
  /** Stores the outcome of a stream that broke. @throws ProblemError */
  fail(error: unknown): Promise<void>
  /** The client went away. */
  abandon(): void
  summary(): object
}

interface Frames {
  readonly state: CallState
  readonly info: RequestInfo
  readonly end: StreamEnd
}

/** Milliseconds of silence after which a comment is sent. */
const keepAliveMs = 15_000

export function streamFrames(kernel: Kernel, frames: Frames): AsyncIterable<string> {
  return withKeepAlive(kernel, writeFrames(kernel, frames))
}

async function* writeFrames(kernel: Kernel, { state, info, end }: Frames): AsyncGenerator<string> {
  const frame = (event: string, data: unknown): string =>
    `event: ${event}\ndata: ${JSON.stringify(enveloped(kernel, info, data))}\n\n`
  const writer = chunkWriter(state)
  let settled = false
  try {
    const last: object[] = []
    for await (const event of eventsOf(state)) {
      const chunk = writer.chunk(event)
      if (chunk === null) continue
      if (event.type === 'finish') last.push(chunk)
      else {
        state.released = true
        yield frame('chunk', chunk)
      }
    }
    await end.finish()
    settled = true
    for (const chunk of last) yield frame('chunk', chunk)
    yield frame('completed', { ...end.summary(), model: writer.model() })
    yield frame('done', {})
  } catch (error) {
    if (settled) throw error
    settled = true
    yield await errorFrame(kernel, { state, info, end }, error)
  } finally {
    if (!settled) end.abandon()
  }
}

function eventsOf({ answer }: CallState): AsyncIterable<AnswerEvent> | Iterable<AnswerEvent> {
  return answer?.events ?? []
}

async function errorFrame(kernel: Kernel, { info, end }: Frames, error: unknown): Promise<string> {
  const problem = await end.fail(error).then(
    () => null,
    (ended: unknown) => ended,
  )
  if (!(problem instanceof ProblemError)) throw problem ?? error
  const facts = {
    requestId: info.id,
    timestamp: kernel.clock.iso(),
    path: info.path,
    publicUrl: kernel.config.publicUrl,
  }
  return `event: error\ndata: ${JSON.stringify(problemBody(problem, facts))}\n\n`
}

function enveloped(kernel: Kernel, info: RequestInfo, data: unknown): object {
  return { data, meta: { request_id: info.id, timestamp: kernel.clock.iso(), version: 'v1' }, errors: null }
}

/** Turns canonical events into chunk bodies; null for what has no chunk of its own. */
function chunkWriter(state: CallState) {
  const greeted = new Set<number>()
  let model = state.served?.model ?? ''
  const body = (choice: number, delta: object, finish: string | null): object => {
    const first = !greeted.has(choice)
    greeted.add(choice)
    return {
      id: state.facts.id,
      model,
      choices: [{ index: choice, delta: first ? { role: 'assistant', ...delta } : delta, finish_reason: finish }],
    }
  }
  return {
    model: () => model,
    chunk: (event: AnswerEvent): object | null => {
      switch (event.type) {
        case 'start':
          model = event.model || model
          return null
        case 'text':
          return body(event.choice, { [textField[event.channel]]: event.text }, null)
        case 'tool_call':
          return body(
            event.choice,
            {
              tool_calls: [
                { index: event.index, id: event.id, type: 'function', function: { name: event.name, arguments: '' } },
              ],
            },
            null,
          )
        case 'tool_arguments':
          return body(event.choice, { tool_calls: [{ index: event.index, function: { arguments: event.text } }] }, null)
        case 'finish':
          return body(event.choice, {}, event.reason)
        case 'usage':
          return null
        default:
          return event satisfies never
      }
    },
  }
}

const textField = { text: 'content', reasoning: 'reasoning_content', refusal: 'refusal' } as const

async function* withKeepAlive(
  { clock }: Pick<Kernel, 'clock'>,
  frames: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    let next = frames.next()
    while (true) {
      const result = await orQuiet(clock, next)
      if (result === 'quiet') {
        yield ': keep-alive\n\n'
        continue
      }
      if (result.done) return
      yield result.value
      next = frames.next()
    }
  } finally {
    // Not awaited: it ends when the provider's read does, and that was aborted.
    void frames.return(undefined)
  }
}

function orQuiet<T>(clock: Kernel['clock'], next: Promise<T>): Promise<T | 'quiet'> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(keepAliveMs, () => resolve('quiet'))
    next.then(resolve, reject).finally(() => timer.stop())
  })
}
