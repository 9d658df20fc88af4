import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { level1, level19, type MadeBlock, madeFrame, raw, run, sampleText } from '../testing/zstd-samples.ts'
import { ZstdError } from './fault.ts'
import { zstdUnpacked } from './zstd.ts'

async function* inPieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}

async function unpack(bytes: Uint8Array, size?: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of zstdUnpacked(inPieces(bytes, size))) parts.push(part)
  return Buffer.concat(parts)
}

const bytesOf = (...bytes: readonly number[]) => Uint8Array.from(bytes)
const block = (content: Uint8Array): MadeBlock => ({ kind: 'packed', size: content.byteLength, content })

describe('a stream', () => {
  test.each([
    ['level 1', level1],
    ['level 19', level19],
  ])('of the reference implementation at %s comes as it was, in whatever pieces', async (_level, bytes) => {
    for (const size of [1, 7, 1_000]) expect((await unpack(bytes, size)).equals(sampleText())).toBe(true)
  })

  test('may have several frames, and frames without content between them', async () => {
    const note = bytesOf(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3)
    const bytes = Buffer.concat([note, level1, note, madeFrame([raw(Buffer.from('tail'))])])
    expect((await unpack(bytes)).toString()).toBe(`${sampleText()}tail`)
  })

  test('keeps its window over any number of blocks', async () => {
    const pieces = Array.from({ length: 3_000 }, (_, n) => raw(Buffer.from(`${n}`.padStart(1_024, '.'))))
    const content = await unpack(madeFrame(pieces, 0))
    expect(content.byteLength).toBe(3_000 * 1_024)
    expect(content.subarray(-4).toString()).toBe('2999')
  })

  test('gives others a turn', async () => {
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    await unpack(madeFrame(Array.from({ length: 400 }, () => run(97, 131_072))))
    clearInterval(counting)
    expect(turns).toBeGreaterThan(1)
  })
})

describe('C25 a stream is refused that', () => {
  test.each([
    ['is empty', new Uint8Array(0)],
    ['is something else', Buffer.from('{"a": 1}')],
    ['has only a frame without content', bytesOf(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0)],
    ['ends in its header', level1.subarray(0, 5)],
    ['ends in a block', level1.subarray(0, 600)],
    ['ends before its last block', madeFrame([raw(Buffer.from('a')), raw(Buffer.from('b'))]).subarray(0, -4)],
    ['goes on with something else', Buffer.concat([level1, Buffer.from('more')])],
    ['wants more memory than 8 MiB', madeFrame([raw(Buffer.from('a'))], 112)],
    ['wants two gigabytes', madeFrame([raw(Buffer.from('a'))], 168)],
    ['has a block above 128 KiB', madeFrame([run(97, 131_073)])],
    ['has a block above its window', madeFrame([run(97, 1_025)], 0)],
    ['needs a dictionary', bytesOf(0x28, 0xb5, 0x2f, 0xfd, 1, 56, 7, 1, 0, 0)],
    ['has a reserved bit', bytesOf(0x28, 0xb5, 0x2f, 0xfd, 8, 56, 1, 0, 0)],
    ['has not the size that it says', bytesOf(0x28, 0xb5, 0x2f, 0xfd, 32, 9, 9, 0, 0, 97)],
    ['has a block of the fourth kind', bytesOf(0x28, 0xb5, 0x2f, 0xfd, 0, 56, 7, 0, 0)],
    ['uses a tree that is not there', madeFrame([block(bytesOf(0x13, 0x40, 0, 1, 0))])],
    // One state for all bits: a reader that counts bits alone never ends.
    ['has a tree that needs no bits', madeFrame([block(bytesOf(0x92, 0x00, 0x02, 4, 0x10, 0x3f, 0x00, 0x80, 1, 0))])],
    // No literals, 65,279 matches of 65,538 bytes and more.
    ['has a block that unpacks to gigabytes', madeFrame([raw(Buffer.from('a')), block(longMatches())])],
  ])('%s', async (_what, bytes) => {
    await expect(unpack(bytes)).rejects.toBeInstanceOf(ZstdError)
  })

  test('is anything but what it was, or gives something else, and never fails in another way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(level1, level19),
        fc.array(fc.tuple(fc.nat(1_200), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (sample, changes) => {
          const bytes = Buffer.from(sample)
          for (const [at, byte] of changes) bytes[at] = byte
          const outcome = await unpack(bytes).catch((error: unknown) => error)
          expect(outcome instanceof ZstdError || outcome instanceof Buffer).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** Sequences of one code each: no literals, offset value 1 or 2, match lengths from 65,539 on. */
function longMatches(): Uint8Array {
  const count = 65_279 - 0x7f00
  const head = [0x00, 255, count & 255, count >> 8, 0x54, 0, 0, 52]
  return Buffer.concat([Uint8Array.from(head), new Uint8Array(131_000 - head.length).fill(255)])
}

const hasTool = spawnSync('zstd', ['--version']).status === 0

describe.runIf(hasTool)('what the zstd program packs (where it is installed)', () => {
  const line = (n: number) => `${n * 7_919} ${'abc'.repeat(n % 40)} ${Math.imul(n, 2_654_435_761) >>> 20}\n`
  const text = Buffer.from(Array.from({ length: 20_000 }, (_, n) => line(n)).join(''))
  const mixed = Buffer.concat([text, randomBytes(300_000), Buffer.alloc(400_000, 'x'), text.subarray(0, 1_000_000)])

  test.each(['-1', '-3', '-9', '-19', '--fast=5'])('with %s comes as it was', async (level) => {
    const bytes = execFileSync('zstd', [level, '-q', '-c'], { input: mixed, maxBuffer: 1e9 })
    expect((await unpack(bytes, 65_536)).equals(mixed)).toBe(true)
  })
})
