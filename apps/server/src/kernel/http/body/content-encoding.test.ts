import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodedBody } from './content-encoding.ts'
import { level19, madeFrame, run, sampleText } from './testing/zstd-samples.ts'

const inPieces = (bytes: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
    })(),
  )

async function read(bytes: Buffer, encoding?: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of decodedBody(inPieces(bytes), encoding)) parts.push(part)
  return Buffer.concat(parts)
}

const text = Buffer.from(Array.from({ length: 20_000 }, (_, n) => `line ${n * 7919}\n`).join(''))

test.each(['gzip', 'x-gzip', ' GZIP '])('a body packed as %j comes as it was', async (encoding) => {
  expect((await read(gzipSync(text), encoding)).equals(text)).toBe(true)
})

test('a body packed as zstd comes as it was', async () => {
  expect((await read(level19, 'zstd')).equals(sampleText())).toBe(true)
})

test.each([undefined, 'identity', ''])('a body of the encoding %j is left alone', async (encoding) => {
  expect((await read(text, encoding)).equals(text)).toBe(true)
})

test.each(['br', 'deflate', 'gzip, gzip', 'zstd, gzip'])('C25 the encoding %s is refused by name', (encoding) => {
  expect(() => decodedBody(inPieces(text), encoding)).toThrow(
    expect.objectContaining({ code: 'API-018', headers: { 'accept-encoding': 'gzip, zstd' } }),
  )
})

test('C25 a bomb ends where it passes a hundred times of what arrived', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1_048_576))
  await expect(read(bomb, 'gzip')).rejects.toMatchObject({ code: 'API-001' })
  const runs = madeFrame(Array.from({ length: 512 }, () => run(0, 131_072)))
  await expect(read(runs, 'zstd')).rejects.toMatchObject({
    code: 'API-001',
    message: expect.stringContaining('more than 100 times its size'),
  })
})

test('a body that is not what it is said to be, or ends in the middle, is refused', async () => {
  await expect(read(text, 'gzip')).rejects.toMatchObject({ code: 'API-001' })
  await expect(read(gzipSync(text).subarray(0, 5_000), 'gzip')).rejects.toMatchObject({ code: 'API-001' })
  await expect(read(text, 'zstd')).rejects.toMatchObject({ code: 'API-001' })
  await expect(read(level19.subarray(0, 900), 'zstd')).rejects.toMatchObject({ code: 'API-001' })
})
