import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectAnswer } from '../../../call/answer.ts'
import { type AnswerEvent, emptyCall } from '../../../call/call.ts'
import { framesOf, message, searched, sseOf, thoughtful } from '../../../testing/anthropic-shapes.ts'
import { sse } from '../../framing.ts'
import { decodeAnswer } from './decode.ts'
import { createStreamDecoder } from './stream.ts'

const own = { form: 'anthropic_messages' } as const

function decodeFrames(frames: readonly object[], form: Parameters<typeof createStreamDecoder>[0] = emptyCall) {
  const decoder = createStreamDecoder(form)
  const events = frames.flatMap((frame) => [...decoder.push({ event: null, data: JSON.stringify(frame) })])
  return [...events, ...decoder.end()]
}

describe('a stream', () => {
  test.each([
    ['thinking and tools', thoughtful],
    ['a search and citations', searched],
  ])('with %s is the same answer as a complete one', (_what, content) => {
    const whole = collectAnswer(decodeAnswer(JSON.stringify(message(content)), emptyCall))
    expect(collectAnswer(decodeFrames(framesOf(content)))).toEqual(whole)
    const told = (events: readonly AnswerEvent[]) =>
      events.filter(({ type }) => type === 'annotation' || (type === 'raw' && true)).map((event) => event)
    const wholeOwn = told(decodeAnswer(JSON.stringify(message(content)), own))
    expect(told(decodeFrames(framesOf(content, {}, 1000), own)).length).toBe(wholeOwn.length)
  })

  test('counts the input at its beginning and the output at its end', () => {
    const usage = decodeFrames(framesOf([])).find(({ type }) => type === 'usage')
    expect(usage).toMatchObject({ usage: { inputTokens: 19, outputTokens: 7, cachedTokens: 3 } })
  })

  test('says what was not understood to callers of the form, also in deltas', () => {
    const frames = [
      ...framesOf([]).slice(0, 1),
      { type: 'content_block_start', index: 0, content_block: { type: 'novelty', a: 1 } },
      { type: 'content_block_delta', index: 0, delta: { type: 'novelty_delta', b: 2 } },
      { type: 'content_block_stop', index: 0 },
      { type: 'a_new_event' },
      ...framesOf([], { stop_details: { type: 'refusal' } }).slice(2),
    ]
    const events = decodeFrames(frames, own)
    expect(events).toContainEqual({
      type: 'raw',
      event: 'block',
      item: {
        form: 'anthropic_messages',
        value: { block: { type: 'novelty', a: 1 }, deltas: [{ type: 'novelty_delta', b: 2 }] },
      },
    })
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'extra',
        members: expect.objectContaining({ stop_details: { type: 'refusal' } }),
      }),
    )
  })

  test('gives the same events wherever its bytes are cut', async () => {
    const bytes = new TextEncoder().encode(`: hello\n\n${sseOf(framesOf([...thoughtful, ...searched]))}`)
    const decode = async (cuts: readonly number[]): Promise<AnswerEvent[]> => {
      const decoder = createStreamDecoder(own)
      const events: AnswerEvent[] = []
      for await (const frame of sse.frames(pieces(bytes, cuts))) events.push(...decoder.push(frame))
      return [...events, ...decoder.end()]
    }
    const whole = await decode([])
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 80 }),
        async (cuts) => {
          expect(await decode(cuts.sort((a, b) => a - b))).toEqual(whole)
        },
      ),
    )
  })

  test.each([
    ['before its end', framesOf(thoughtful).slice(0, -2)],
    ['in a block', framesOf(thoughtful).slice(0, 5)],
    ['at once', []],
  ])('that ends %s is broken', (_where, frames) => {
    expect(() => decodeFrames(frames)).toThrow(expect.objectContaining({ kind: 'broken' }))
  })

  test.each([
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'server_error'],
    [{ type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }, 'rate_limited'],
    [{ type: 'error', error: { type: 'authentication_error', message: 'who?' } }, 'credential'],
    [{ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 'bad_request'],
    [{ type: 'error', error: { type: 'constructor' } }, 'server_error'],
    [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }, 'invalid'],
    [{ type: 'message_start', message: 5 }, 'invalid'],
  ])('the event %j is the fault it stands for', (frame, kind) => {
    expect(() => decodeFrames([frame])).toThrow(expect.objectContaining({ kind }))
  })
})

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.slice(from, cut)
    from = cut
  }
}
