import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEvents, type ServerSentEvent } from './server-sent-events.ts'

function streamOf(pieces: readonly Uint8Array[], onCancel = (): void => undefined): ReadableStream<Uint8Array> {
  const left = [...pieces]
  return new ReadableStream({
    pull: (controller) => {
      const next = left.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    },
    cancel: onCancel,
  })
}

async function read(pieces: readonly Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(streamOf(pieces))) events.push(event)
  return events
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('an event stream', () => {
  test.each([
    [
      'named events',
      'event: chunk\ndata: 1\n\nevent: done\ndata: {}\n\n',
      [
        { event: 'chunk', data: '1' },
        { event: 'done', data: '{}' },
      ],
    ],
    ['data over several lines', 'data: a\ndata:b\ndata\n\n', [{ event: 'message', data: 'a\nb\n' }]],
    [
      'comments and unknown fields between',
      ': keep-alive\n\nid: 7\nretry: 1\ndata: x\n\n',
      [{ event: 'message', data: 'x' }],
    ],
    ['only the first space dropped', 'data:  two\n\n', [{ event: 'message', data: ' two' }]],
    ['a byte order mark', '\uFEFFdata: x\n\n', [{ event: 'message', data: 'x' }]],
    ['events without data dropped', 'event: empty\n\ndata: x\n\n', [{ event: 'message', data: 'x' }]],
    ['what was cut off dropped', 'data: whole\n\ndata: half', [{ event: 'message', data: 'whole' }]],
    ['what has no blank line at its end dropped', 'data: whole\n\ndata: half\n', [{ event: 'message', data: 'whole' }]],
    ['single carriage returns', 'data: a\rdata: b\r\r', [{ event: 'message', data: 'a\nb' }]],
  ])('is read with %s', async (_, text, expected) => {
    expect(await read([bytes(text)])).toEqual(expected)
  })

  test('gives the same events wherever it is cut, also within a character or a line end', async () => {
    const text = 'event: chunk\r\ndata: Grüße 🛡️\r\n\r\n: quiet\r\n\r\nevent: done\ndata: {}\n\n'
    const whole = await read([bytes(text)])
    expect(whole).toHaveLength(2)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes(text).length), { maxLength: 12 }), async (cuts) => {
        const all = bytes(text)
        const edges = [0, ...cuts.sort((a, b) => a - b), all.length]
        const pieces = edges.slice(1).map((edge, index) => all.slice(edges[index], edge))
        expect(await read(pieces)).toEqual(whole)
      }),
    )
  })

  test('is cancelled when the reader stops early', async () => {
    let cancelled = false
    const source = streamOf([bytes('data: 1\n\n'), bytes('data: 2\n\n'), bytes('data: 3\n\n')], () => {
      cancelled = true
    })
    for await (const event of readEvents(source)) if (event.data === '1') break
    expect(cancelled).toBe(true)
  })
})
