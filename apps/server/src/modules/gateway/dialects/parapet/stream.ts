/** Our own stream: `chunk` frames as the answer comes, then `completed` and `done`, or `error`. Tested in chat-stream.test.ts. */

import { problemBody } from '../../../../kernel/http/answer/envelope.ts'
import type { WithAttempts } from '../../attempts/call-attempts.ts'
import type { AnswerEvent } from '../../call/call.ts'
import type { WithFacts } from '../../call/facts.ts'
import { type StreamWriter, sseFrame, type WriterContext } from '../dialect.ts'

export function chunkStream(context: WriterContext, summary: () => object): StreamWriter {
  const { kernel, info, state } = context
  const chunks = chunkWriter(state)
  const frame = (event: string, data: unknown): string => {
    const meta = { request_id: info.id, timestamp: kernel.clock.iso(), version: 'v1' }
    return sseFrame(event, JSON.stringify({ data, meta, errors: null }))
  }
  return {
    push: (event) => {
      const chunk = chunks.chunk(event)
      return chunk === null ? [] : [frame('chunk', chunk)]
    },
    end: () => [frame('completed', { ...summary(), model: chunks.model() }), frame('done', {})],
    fail: (problem) => {
      const facts = {
        requestId: info.id,
        timestamp: kernel.clock.iso(),
        path: info.path,
        publicUrl: kernel.config.publicUrl,
      }
      return [sseFrame('error', JSON.stringify(problemBody(problem, facts)))]
    },
    keepAlive: ': keep-alive\n\n',
  }
}

/** Turns canonical events into chunk bodies; null for events without a chunk of their own. */
function chunkWriter(state: WithFacts & WithAttempts) {
  const greeted = new Set<number>()
  let model = state.attempts.served?.model ?? ''
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
        case 'tool_call': {
          const { index, id, name } = event
          const call = { index, id, type: 'function', function: { name, arguments: '' } }
          return body(event.choice, { tool_calls: [call] }, null)
        }
        case 'tool_arguments':
          return body(event.choice, { tool_calls: [{ index: event.index, function: { arguments: event.text } }] }, null)
        case 'finish':
          return body(event.choice, {}, event.reason)
        default:
          // Events that exist only in vendors' own forms.
          return null
      }
    },
  }
}

const textField = { text: 'content', reasoning: 'reasoning_content', refusal: 'refusal' } as const
