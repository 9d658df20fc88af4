import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AnswerEvent, emptyCall } from '../../call/call.ts'
import type { CallState } from '../../pipeline/contract/call-parts.ts'
import type { StreamWriter, WriterContext } from '../dialect.ts'
import { chatStream } from './chat-stream.ts'
import { responsesStream } from './responses-stream.ts'
import { responsesWriter } from './responses-writer.ts'

/** Only the parts that writers read. */
function context(includeUsage = false): WriterContext {
  const state = {
    facts: {
      id: '01a200cc-28b0-72bc-a2da-cbc0c17c606e',
      startedAt: '2026-01-01T00:00:00.000Z',
      asked: { stream: true, includeUsage },
    },
    attempts: { served: null },
    answer: { flow: { kind: 'whole', events: [] }, usage: null, receivedBytes: 0, inspected: [] },
    plan: { call: emptyCall },
  } as unknown as CallState
  return { state } as unknown as WriterContext
}

function written(writer: StreamWriter, events: readonly AnswerEvent[]): readonly string[] {
  return [...events.flatMap((event) => writer.push(event)), ...writer.end()]
}

// biome-ignore lint/suspicious/noExplicitAny: tests read frames freely.
function dataOf(frames: readonly string[]): any[] {
  return frames.flatMap((frame) => {
    const line = frame.split('\n').find((one) => one.startsWith('data: ')) ?? ''
    const data = line.slice('data: '.length)
    return data === '[DONE]' ? [] : [JSON.parse(data)]
  })
}

type Worded = Extract<AnswerEvent, { readonly type: 'text' | 'tool_arguments' }>

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const texts = fc
  .record({ channel: fc.constantFrom('text', 'reasoning', 'refusal'), text: words })
  .map(({ channel, text }): AnswerEvent => ({ type: 'text', choice: 0, channel, text }))
const calls = fc.array(words, { maxLength: 3 }).map((all) =>
  all.flatMap((text, index): AnswerEvent[] => [
    { type: 'tool_call', choice: 0, index, id: `call_${index}`, name: 'weather' },
    { type: 'tool_arguments', choice: 0, index, text },
  ]),
)
const answers = fc
  .tuple(
    fc.array(texts, { maxLength: 4 }),
    calls,
    fc.array(texts, { maxLength: 2 }),
    fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
  )
  .map(([before, tools, after, reason]): readonly AnswerEvent[] => [
    { type: 'start', model: 'm', fingerprint: null },
    ...before,
    ...tools,
    ...after,
    { type: 'finish', choice: 0, reason },
  ])

/** The same answer in other pieces: every text is split at the given numbers. */
function cut(events: readonly AnswerEvent[], sizes: readonly number[]): readonly AnswerEvent[] {
  let at = 0
  const pieces = (event: Worded): AnswerEvent[] => {
    const found: AnswerEvent[] = []
    for (let begin = 0; begin < event.text.length; ) {
      const size = sizes[at++ % sizes.length] ?? 1
      found.push({ ...event, text: event.text.slice(begin, begin + size) })
      begin += size
    }
    return found
  }
  return events.flatMap((event): readonly AnswerEvent[] =>
    event.type === 'text' || event.type === 'tool_arguments' ? pieces(event) : [event],
  )
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

describe('a chat stream', () => {
  /** Message as a client assembles it, with the order in which members begin. */
  function message(frames: readonly string[]) {
    const sum = {
      role: '',
      content: '',
      refusal: '',
      reasoning_content: '',
      calls: [] as { id: string; text: string }[],
      finish: '',
    }
    for (const { choices } of dataOf(frames)) {
      const [{ delta, finish_reason: finish }] = choices
      for (const field of ['role', 'content', 'refusal', 'reasoning_content'] as const) sum[field] += delta[field] ?? ''
      for (const { index, id, function: called } of delta.tool_calls ?? []) {
        sum.calls[index] ??= { id, text: '' }
        sum.calls[index].text += called.arguments
      }
      sum.finish = finish ?? sum.finish
    }
    return sum
  }

  test('says the same however its answer was cut', () => {
    fc.assert(
      fc.property(answers, sizes, (events, by) => {
        const whole = message(written(chatStream(context()), events))
        expect(message(written(chatStream(context()), cut(events, by)))).toEqual(whole)
        expect(whole.role).toBe('assistant')
      }),
    )
  })

  test('has a choice in every chunk, the vendor’s own members and, when asked for, the usage', () => {
    const own = { form: 'openai_chat', members: { x_trace: 'a' } } as const
    const events: readonly AnswerEvent[] = [
      { type: 'start', model: 'm', fingerprint: 'fp', id: 'chatcmpl-9' },
      { type: 'answer_extra', ...own },
      { type: 'text', choice: 0, channel: 'text', text: 'Hi' },
      { type: 'extra', choice: 0, of: 'message', form: 'openai_chat', members: { audio: { id: 'a' } } },
      { type: 'extra', choice: 0, of: 'choice', form: 'anthropic_messages', members: { other: 1 } },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'function_call' },
    ]
    const [first, second, third, last] = dataOf(written(chatStream(context(true)), events))
    expect(first).toMatchObject({ id: 'chatcmpl-9', system_fingerprint: 'fp', x_trace: 'a', usage: null })
    expect(second).toMatchObject({ choices: [{ delta: { audio: { id: 'a' } } }] })
    expect(third).toMatchObject({ choices: [{ delta: {}, finish_reason: 'function_call' }] })
    expect(last).toMatchObject({ choices: [], usage: { total_tokens: 0 } })
  })
})

describe('a responses stream', () => {
  const asked = { input: 'x' }

  /** Output as a client assembles it from the events before the last one. */
  function output(frames: readonly string[]) {
    const items: { item: unknown; said: string }[] = []
    const done: unknown[] = []
    for (const { type, output_index: index, item, delta } of dataOf(frames)) {
      if (type === 'response.output_item.added') items[index] = { item, said: '' }
      const open = items[index]
      if (type.endsWith('.delta') && open !== undefined) open.said += delta
      if (type === 'response.output_item.done') done[index] = item
    }
    return { items, done }
  }

  test('says the same however its answer was cut, and the same as a complete answer', () => {
    fc.assert(
      fc.property(answers, sizes, (events, by) => {
        const uncut = written(responsesStream(context(), asked), events)
        const frames = written(responsesStream(context(), asked), cut(events, by))
        expect(output(frames)).toEqual(output(uncut))
        const last = dataOf(frames).at(-1)
        const whole = responsesWriter(asked).whole(context(), events)
        expect(last.response).toEqual(JSON.parse(JSON.stringify(whole)))
        expect(output(frames).done).toEqual(last.response.output)
      }),
    )
  })

  test('counts its events without a gap and opens every item and content before it says something of it', () => {
    fc.assert(
      fc.property(answers, sizes, (events, by) => {
        const all = dataOf(written(responsesStream(context(), asked), cut(events, by)))
        expect(all.map(({ sequence_number: number }) => number)).toEqual(all.map((_, index) => index))
        const opened = new Set<string>()
        for (const { type, output_index: index, content_index: part } of all) {
          if (type === 'response.output_item.added') opened.add(`${index}`)
          else if (type === 'response.content_part.added') opened.add(`${index}/${part}`)
          else if (part !== undefined) expect(opened).toContain(`${index}/${part}`)
          else if (index !== undefined) expect(opened).toContain(`${index}`)
        }
      }),
    )
  })
})
