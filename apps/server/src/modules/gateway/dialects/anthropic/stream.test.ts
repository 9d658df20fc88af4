import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerEvent } from '../../call/call.ts'
import { errors } from '../../declared/errors.ts'
import { decodeAnswer } from '../../providers/adapters/anthropic/decode.ts'
import { message, searched, thoughtful } from '../../testing/anthropic-shapes.ts'
import type { BlockStep } from './block-queue.ts'
import { foldBlocks } from './fold.ts'
import { messageStream } from './stream.ts'

const facts = {
  id: 'msg_own',
  requestId: 'req_1',
  model: () => 'asked',
  isExact: () => true,
  estimate: () => ({ input_tokens: 1, output_tokens: 2 }),
}

interface Frame {
  readonly type: string
  readonly index: number
  readonly message: Readonly<Record<string, unknown>>
  readonly content_block: Readonly<Record<string, unknown>>
  readonly delta: Readonly<Record<string, unknown>>
  readonly usage: Readonly<Record<string, unknown>>
}

function parsed(text: string): Frame {
  const [, event, data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? []
  const frame: Frame = JSON.parse(data)
  expect(frame.type).toBe(event)
  return frame
}

function framesOf(events: readonly AnswerEvent[]): readonly Frame[] {
  const writer = messageStream(facts)
  return [...events.flatMap((event) => [...writer.push(event)]), ...writer.end()].map(parsed)
}

function contentOf(frames: readonly Frame[]) {
  const steps = frames.flatMap(({ type, index, content_block: block, delta }): readonly BlockStep[] => {
    if (type === 'content_block_start') return [{ step: 'start', index, block }]
    return type === 'content_block_delta' ? [{ step: 'delta', index, delta }] : []
  })
  return foldBlocks(steps)
}

const own = (content: readonly object[], over: object = {}) =>
  decodeAnswer(JSON.stringify(message(content, over)), { form: 'anthropic_messages' })
const text = (said: string): AnswerEvent => ({ type: 'text', choice: 0, channel: 'text', text: said })
const finish: AnswerEvent = { type: 'finish', choice: 0, reason: 'stop' }

describe('a stream', () => {
  test('begins with the message, ends with its end, and has every block between', () => {
    const frames = framesOf(own([...thoughtful, ...searched], { stop_reason: 'pause_turn', stop_details: null }))
    expect(frames[0]).toMatchObject({
      type: 'message_start',
      message: { id: 'msg_01', model: 'claude-test-1', content: [], stop_reason: null, usage: { input_tokens: 11 } },
    })
    expect(contentOf(frames)).toEqual([...thoughtful, ...searched])
    expect(frames.at(-2)).toMatchObject({
      type: 'message_delta',
      delta: { stop_reason: 'pause_turn', stop_sequence: null, stop_details: null },
      usage: { output_tokens: 7, cache_read_input_tokens: 3, cache_creation_input_tokens: 5 },
    })
    expect(frames.at(-1)).toEqual({ type: 'message_stop' })
  })

  test('says the same wherever its texts are cut', () => {
    const whole = own(searched)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 9 }), (sizes) => {
        let at = 0
        const cut = whole.flatMap((event): readonly AnswerEvent[] => {
          if (event.type !== 'text') return [event]
          const pieces: AnswerEvent[] = []
          for (let from = 0; from < event.text.length; from += sizes[(at - 1) % sizes.length] ?? 1) {
            pieces.push({ ...event, text: event.text.slice(from, from + (sizes[at % sizes.length] ?? 1)) })
            at += 1
          }
          return pieces
        })
        const frames = framesOf(cut)
        expect(contentOf(frames)).toEqual(searched)
        const frame = ({ type }: Frame) => type.startsWith('message_')
        expect(frames.filter(frame)).toEqual(framesOf(whole).filter(frame))
      }),
    )
  })

  test('lets text go as it comes and keeps its end for the end', () => {
    const writer = messageStream(facts)
    expect(
      writer
        .push(text('Hel'))
        .map(parsed)
        .map(({ type }) => type),
    ).toEqual(['message_start', 'content_block_start', 'content_block_delta'])
    expect(writer.push(text('lo')).map(parsed)).toMatchObject([{ delta: { type: 'text_delta', text: 'lo' } }])
    expect(writer.push(finish).map(parsed)).toMatchObject([{ type: 'content_block_stop', index: 0 }])
    expect(writer.end().map(parsed)).toMatchObject([
      { delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 1, output_tokens: 2 } },
      { type: 'message_stop' },
    ])
  })

  test('without anything to say is still a message', () => {
    expect(framesOf([finish]).map(({ type }) => type)).toEqual(['message_start', 'message_delta', 'message_stop'])
  })

  test('that fails ends with an error, and a silent one gives signs of life', () => {
    const writer = messageStream(facts)
    const [failed = ''] = writer.fail(errors.streamBroken())
    expect(parsed(failed)).toEqual({
      type: 'error',
      error: { type: 'api_error', message: expect.any(String), details: { error_code: 'GW-014' } },
      request_id: 'req_1',
    })
    expect(writer.keepAlive).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  })
})

describe('the reason an answer ended', () => {
  const reasonOf = (events: readonly AnswerEvent[]) => framesOf(events).at(-2)?.delta
  const called: AnswerEvent = { type: 'tool_call', choice: 0, index: 0, id: 'a', name: 'f' }

  test.each<[string, readonly AnswerEvent[], object]>([
    ['an end', [finish], { stop_reason: 'end_turn', stop_sequence: null }],
    ['a stop text', [{ ...finish, stopSequence: 'END' }], { stop_reason: 'stop_sequence', stop_sequence: 'END' }],
    ['the limit', [{ ...finish, reason: 'length' }], { stop_reason: 'max_tokens', stop_sequence: null }],
    ['tools', [{ ...finish, reason: 'tool_calls' }], { stop_reason: 'tool_use', stop_sequence: null }],
    ['tools nobody spoke of', [called, finish], { stop_reason: 'tool_use', stop_sequence: null }],
    ['a filter', [{ ...finish, reason: 'content_filter' }], { stop_reason: 'refusal', stop_sequence: null }],
    ['another vendor’s word', [{ ...finish, native: 'eos' }], { stop_reason: 'end_turn', stop_sequence: null }],
    [
      'a refusal',
      [{ type: 'text', choice: 0, channel: 'refusal', text: 'No.' }, finish],
      { stop_reason: 'refusal', stop_sequence: null },
    ],
    [
      'a word of the vendor’s that is new',
      own([], { stop_reason: 'new_word' }),
      { stop_reason: 'new_word', stop_sequence: null },
    ],
  ])('%s', (_what, events, expected) => {
    expect(reasonOf(events)).toEqual(expected)
  })
})
