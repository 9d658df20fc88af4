import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Framing, ndjson, type StreamFrame, sse } from './framing.ts'

async function* cut(text: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let from = 0
  for (const to of [...cuts.map((at) => at % bytes.length).sort((a, b) => a - b), bytes.length]) {
    yield bytes.slice(from, to)
    from = to
  }
}

async function framesOf(framing: Framing, text: string, cuts: readonly number[] = []): Promise<StreamFrame[]> {
  const frames: StreamFrame[] = []
  for await (const frame of framing.frames(cut(text, cuts))) frames.push(frame)
  return frames
}

const streams: readonly (readonly [name: string, framing: Framing, text: string, frames: readonly StreamFrame[]])[] = [
  [
    'server-sent events',
    sse,
    ': hi\n\nevent: message_start\ndata: {"a":"Grüße 🦊"}\r\n\r\ndata: two\ndata: lines\n\n',
    [
      { event: 'message_start', data: '{"a":"Grüße 🦊"}' },
      { event: null, data: 'two\nlines' },
    ],
  ],
  [
    'lines',
    ndjson,
    '{"a":"Grüße 🦊"}\n\n{"b":1}\r\n{"last":true}',
    [
      { event: null, data: '{"a":"Grüße 🦊"}' },
      { event: null, data: '{"b":1}\r' },
      { event: null, data: '{"last":true}' },
    ],
  ],
]

describe.each(streams)('%s', (_name, framing, text, frames) => {
  test('are the same frames wherever the bytes are cut', async () => {
    expect(await framesOf(framing, text)).toEqual(frames)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 20 }), async (cuts) => {
        expect(await framesOf(framing, text, cuts)).toEqual(frames)
      }),
    )
  })

  test('end at an event without end', async () => {
    const endless = `data: ${'x'.repeat(1_100_000)}`
    await expect(framesOf(framing, endless, [10, 600_000])).rejects.toMatchObject({ kind: 'invalid' })
  })
})
