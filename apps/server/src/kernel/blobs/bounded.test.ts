import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createDiskBlobs } from './adapters/disk.ts'
import { createBoundedBlobs, createStorageLimits } from './bounded.ts'
import { describeBlobsContract, failureKind } from './contract.ts'
import type { Blobs } from './port.ts'

const folders: string[] = []
const disk = (): Blobs => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-bounded-'))
  folders.push(folder)
  return createDiskBlobs({ folder, maxBytes: 1_048_576 })
}
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })))

describeBlobsContract('bounded', async () => createBoundedBlobs(disk(), createStorageLimits()))
describeBlobsContract('roomy', async () => createBoundedBlobs(disk(), { limit: async () => 1_000_000_000 }))

let blobs: Blobs
beforeEach(() => {
  blobs = createBoundedBlobs(disk(), { limit: async (tenant) => (tenant === 'free' ? null : 1000) })
})
const of = (length: number, byte: number) => new Uint8Array(length).fill(byte)

test('a tenant stores up to its bound and not beyond, and another one is none the worse', async () => {
  const first = await blobs.put('small', of(600, 1))
  expect(await failureKind(blobs.put('small', of(401, 2)))).toBe('quota')
  expect(await blobs.usage('small')).toBe(600)
  await blobs.put('small', of(400, 3))
  expect(await failureKind(blobs.put('small', of(1, 4)))).toBe('quota')
  await blobs.put('other', of(1000, 5))
  await blobs.put('free', of(5000, 6))
  expect([await blobs.usage('small'), await blobs.usage('free'), await blobs.usage('nobody')]).toEqual([1000, 5000, 0])
  await blobs.delete('small', first.sha256)
  await blobs.put('small', of(600, 7))
})

test('a stream ends where the room does, and leaves nothing', async () => {
  let asked = 0
  async function* endless() {
    for (;;) {
      asked += 1
      yield of(300, asked)
    }
  }
  expect(await failureKind(blobs.put('small', endless()))).toBe('quota')
  expect([asked, await blobs.usage('small')]).toEqual([4, 0])
})

test('of many at once as many are stored as fit', async () => {
  const all = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => blobs.put('small', of(300, n))))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await blobs.usage('small')).toBe(900)
})
