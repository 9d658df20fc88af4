import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamFrame } from '../../framing.ts'
import { eventStream } from './event-stream.ts'
import { eventMessage, exceptionMessage, message } from './testing/messages.ts'

async function* cut(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const to of [...cuts.map((at) => at % bytes.length).toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.slice(from, to)
    from = to
  }
}

async function framesOf(bytes: Uint8Array, cuts: readonly number[] = []): Promise<StreamFrame[]> {
  const frames: StreamFrame[] = []
  for await (const frame of eventStream.frames(cut(bytes, cuts))) frames.push(frame)
  return frames
}

const two = Buffer.concat([
  eventMessage('messageStart', { role: 'assistant' }),
  eventMessage('x', { text: 'Grüße 🦊' }),
])
const frames = [
  { event: 'messageStart', data: '{"role":"assistant","p":"abcdefgh"}' },
  { event: 'x', data: '{"text":"Grüße 🦊","p":"abcdefgh"}' },
]

test('the messages are the same wherever the bytes are cut', async () => {
  expect(await framesOf(two)).toEqual(frames)
  for (let at = 1; at < two.length; at += 1) expect(await framesOf(two, [at])).toEqual(frames)
  expect(await framesOf(two, [...two.keys()])).toEqual(frames)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 40 }), async (cuts) => {
      expect(await framesOf(two, cuts)).toEqual(frames)
    }),
  )
})

describe('nothing is believed', () => {
  test('of a message in which one bit is another', async () => {
    const [first] = frames
    const whole = eventMessage('messageStart', { role: 'assistant' })
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length * 8 - 1), async (bit) => {
        const bytes = Buffer.concat([whole, whole])
        const at = whole.length + Math.floor(bit / 8)
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit % 8)), at)
        const seen: StreamFrame[] = []
        const read = async () => {
          for await (const frame of eventStream.frames(cut(bytes, []))) seen.push(frame)
        }
        await expect(read()).rejects.toMatchObject({ kind: 'invalid' })
        expect(seen).toEqual([first])
      }),
    )
  })

  test('of a message that is cut off', async () => {
    for (let length = 1; length < two.length; length += 1) {
      const read = framesOf(two.subarray(0, length))
      if (length === eventMessage('messageStart', { role: 'assistant' }).length)
        await expect(read).resolves.toHaveLength(1)
      else await expect(read).rejects.toMatchObject({ kind: 'invalid' })
    }
  })

  test('of a wrong length, which would be waited for', async () => {
    const whole = eventMessage('messageStart', { role: 'assistant' })
    whole.writeUInt32BE(whole.length + 1000)
    async function* andThenNothing(): AsyncGenerator<Uint8Array> {
      yield whole
      throw new Error('more was waited for')
    }
    await expect(eventStream.frames(andThenNothing()).next()).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('of a message that is too large, before it is there', async () => {
    const large = message({ ':message-type': 'event' }, 'x'.repeat(1_048_577))
    await expect(framesOf(large.subarray(0, 12))).rejects.toMatchObject({ kind: 'invalid', message: /too large/ })
  })

  test.each([
    [message({}, '{}')],
    [message({ ':message-type': 'news' }, '{}')],
    [Buffer.from('<html>no such page</html>')],
  ])('of what is no message of this kind (%#)', async (bytes) => {
    await expect(framesOf(bytes)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('an exception', () => {
  test.each([
    ['throttlingException', 'rate_limited'],
    ['validationException', 'bad_request'],
    ['modelStreamErrorException', 'server_error'],
    ['modelTimeoutException', 'timeout'],
    ['serviceUnavailableException', 'server_error'],
    ['somethingNewException', 'server_error'],
  ])('of the name %s is %s', async (name, kind) => {
    await expect(framesOf(exceptionMessage(name, 'Wait.'))).rejects.toMatchObject({ kind })
  })

  test('may be an error of the stream itself', async () => {
    const headers = { ':message-type': 'error', ':error-code': 'ThrottlingException', ':error-message': 'Wait.' }
    await expect(framesOf(message(headers, ''))).rejects.toMatchObject({ kind: 'rate_limited' })
  })
})
