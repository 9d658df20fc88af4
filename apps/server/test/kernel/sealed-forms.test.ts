/** Files of earlier versions have to open: the bytes of every sealed form, made of the same input, stay what they were. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openFrames, sealFrames } from '../../src/kernel/backup/frames.ts'
import { openFile, sealFile } from '../../src/kernel/blobs/sealed-file.ts'
import { recordAt, sealRecord } from '../../src/kernel/crypto/records.ts'
import { framesOf, readFrames } from '../../src/kernel/spool/frames.ts'

const key = new Uint8Array(32).fill(9)

/** Bytes that count up, so that the same calls give the same bytes. */
function counting() {
  let calls = 0
  return {
    bytes: (count: number) => {
      calls += 1
      return new Uint8Array(count).fill(calls)
    },
  }
}

async function* chunks() {
  for (const size of [10, 70_000, 1_048_576, 0, 1_048_566, 3]) yield Buffer.alloc(size, size % 251)
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
async function whole(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}
/** An assertion on megabytes looks at them one by one. */
const isSame = async (found: AsyncIterable<Uint8Array>) => (await whole(found)).equals(await whole(chunks()))
async function* asOne(bytes: Uint8Array) {
  yield bytes
}

test('C64 a backup’s frames', async () => {
  const frame = { key, prefix: new Uint8Array(7).fill(5), header: Buffer.from('header\n') }
  const sealed = await whole(sealFrames(frame, chunks()))
  expect(digest(sealed)).toBe('07ef31e7c9f977bcccbe890660de10595fa4b4b85a91e76e07b5933d7dd35d29')
  expect(await isSame(openFrames(frame, asOne(sealed)))).toBe(true)
})

test('a sealed file', async () => {
  const file = { key, place: ['t', 'f'] } as const
  const sealed = await whole(sealFile(file, counting(), chunks()))
  expect(digest(sealed)).toBe('75e8a6de6180f8cdefc2218e4cf266c6251c1f60ec5112a124b70409a7d092cd')
  expect(await isSame(openFile({ ...file, bytes: (await whole(chunks())).byteLength }, asOne(sealed)))).toBe(true)
})

test('a spool’s records', () => {
  const place = { key, file: 'a' }
  const records = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(500, 3)]
  const sealed = framesOf(place, counting(), { records, index: 4 })
  expect(digest(sealed)).toBe('a6997c1a8d228ac798b883e23284e35e84a9d27211a2bad6634c3a38cd25080a')
  const first = framesOf(place, counting(), { records, index: 0 })
  expect(readFrames(place, first)).toEqual({ records, isDamaged: false })
})

test('a record that is not there whole is not there, and a length that none has is an error', () => {
  const record = sealRecord({ key, context: Buffer.from('here') }, counting(), Buffer.from('content'))
  expect(recordAt(record, 0)?.end).toBe(record.length)
  for (const length of [0, 3, record.length - 1]) expect(recordAt(record.subarray(0, length), 0)).toBeNull()
  expect(() => recordAt(record, 0, 6)).toThrow('not one of ours')
  expect(() => recordAt(Buffer.alloc(40), 0)).toThrow('not one of ours')
})
