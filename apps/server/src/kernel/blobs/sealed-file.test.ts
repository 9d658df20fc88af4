import { expect, test } from 'vitest'
import { createRandom } from '../crypto/random.ts'
import { type KnownFile, openFile, sealedBytes, sealedRange, sealFile } from './sealed-file.ts'

const random = createRandom(() => 1)
const file = { key: random.bytes(32), place: ['tenant-1', 'file-1'] } as const
const known = (bytes: number): KnownFile => ({ ...file, bytes })

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

const sealed = (content: Uint8Array, size = 10_000) => all(sealFile(file, random, inPieces(content, size)))
const opened = (bytes: Uint8Array, by: KnownFile, size = 7_777) => all(openFile(by, inPieces(bytes, size)))
const counting = (length: number) => Buffer.from(Array.from({ length }, (_, at) => at % 251))

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])('%i bytes come out as they went in', async (length) => {
  const content = Buffer.alloc(length, 'parapet ')
  const bytes = await sealed(content)
  expect(bytes.byteLength).toBe(sealedBytes(length))
  for (const size of [7_777, 1_000_000]) expect((await opened(bytes, known(length), size)).equals(content)).toBe(true)
  expect(bytes.includes('parapet')).toBe(false)
})

test.each([
  [0, 0],
  [65_535, 65_536],
  [10, 200_000],
  [65_536, 131_071],
  [299_999, 299_999],
  [0, 299_999],
])('bytes %i to %i come from their frames alone', async (start, end) => {
  const content = counting(300_000)
  const bytes = await sealed(content)
  const range = sealedRange({ start, end }, content.length)
  const part = bytes.subarray(range.start, range.end + 1)
  const found = await all(openFile(known(content.length), inPieces(part, 7_777), { start, end }))
  expect(found.equals(content.subarray(start, end + 1))).toBe(true)
})

test('C63 a file that was cut, continued, reordered, changed or moved does not open', async () => {
  const content = Buffer.alloc(200_000, 'parapet ')
  const bytes = await sealed(content)
  const frame = 4 + bytes.readUInt32BE(0)
  const wrong = {
    cutInAFrame: bytes.subarray(0, -1),
    cutBetweenFrames: bytes.subarray(0, frame * 3),
    empty: bytes.subarray(0, 0),
    continued: Buffer.concat([bytes, bytes.subarray(0, frame)]),
    reordered: Buffer.concat([bytes.subarray(frame, 2 * frame), bytes.subarray(0, frame), bytes.subarray(2 * frame)]),
    changed: Buffer.from(bytes)
      .fill(0xff, frame + 50, frame + 51)
      .fill(0x00, frame + 51, frame + 53),
    ofAnotherLength: Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff]), bytes]),
  }
  for (const [name, damaged] of Object.entries(wrong))
    await expect(opened(damaged, known(content.length)), name).rejects.toThrow()
  await expect(opened(bytes, { ...known(content.length), place: ['tenant-1', 'file-2'] })).rejects.toThrow()
  await expect(opened(bytes, known(content.length + 65_536))).rejects.toThrow()
  await expect(opened(bytes, known(content.length - 65_536))).rejects.toThrow()
})
