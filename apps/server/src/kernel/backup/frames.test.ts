import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type FrameKey, frameBytes, openFrames, sealFrames } from './frames.ts'

const frame: FrameKey = { key: randomBytes(32), prefix: randomBytes(7), header: Buffer.from('header\n') }
const sealedFrame = frameBytes + 16

async function* pieces(bytes: Uint8Array, size = 300_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const got: Uint8Array[] = []
  for await (const chunk of chunks) got.push(chunk)
  return Buffer.concat(got)
}

const seal = (bytes: Uint8Array) => all(sealFrames(frame, pieces(bytes)))
const open = (bytes: Uint8Array, key = frame) => all(openFrames(key, pieces(bytes)))
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test.each([0, 1, frameBytes - 1, frameBytes, frameBytes + 1, 2 * frameBytes, 3 * frameBytes - 5])(
  '%i bytes come back as they were',
  async (length) => {
    const content = randomBytes(length)
    const sealed = await seal(content)
    expect(sealed.length).toBe(length + 16 * Math.max(1, Math.ceil(length / frameBytes)))
    expect(digest(await open(sealed))).toBe(digest(content))
  },
)

describe('C64 a file is refused', async () => {
  const content = randomBytes(3 * frameBytes + 1_000)
  const sealed = await seal(content)
  const at = (length: number): number => Math.floor(Math.random() * length)

  test('when any one bit is another, wherever it is', async () => {
    for (let n = 0; n < 60; n += 1) {
      const place = at(sealed.length)
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(place) ^ (1 << at(8)), place)
      await expect(open(changed), `byte ${place}`).rejects.toThrow('changed')
    }
  })

  test('when it is cut, wherever', async () => {
    const lengths = [0, 15, sealedFrame, 2 * sealedFrame, 3 * sealedFrame, sealed.length - 1]
    for (const length of [...lengths, ...Array.from({ length: 40 }, () => at(sealed.length))])
      await expect(open(sealed.subarray(0, length)), `cut at ${length}`).rejects.toThrow('the backup')
  })

  test('when frames are swapped, left out, repeated or added', async () => {
    const frames = [0, 1, 2, 3].map((index) => sealed.subarray(index * sealedFrame, (index + 1) * sealedFrame))
    for (const order of [
      [1, 0, 2, 3],
      [0, 2, 1, 3],
      [0, 2, 3],
      [0, 1, 1, 2, 3],
      [0, 1, 2, 3, 3],
      [0, 1, 2],
    ]) {
      const put = Buffer.concat(order.map((index) => frames[index] ?? Buffer.alloc(0)))
      await expect(open(put), String(order)).rejects.toThrow('changed')
    }
    await expect(open(Buffer.concat([sealed, Buffer.from('x')]))).rejects.toThrow('changed')
  })

  test('when it is under another key, number or header', async () => {
    for (const other of [{ key: randomBytes(32) }, { prefix: randomBytes(7) }, { header: Buffer.from('other\n') }])
      await expect(open(sealed, { ...frame, ...other })).rejects.toThrow('changed')
  })
})
