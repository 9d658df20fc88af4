import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { closeAll, egressWith } from '../egress/testing/upstream.ts'
import type { S3Place } from './client.ts'
import { createS3Objects, partBytes } from './objects.ts'
import { bucketKey, type TestBucket, testBucket } from './testing/bucket.ts'

let bucket: TestBucket
let place: S3Place
const id = '0195f0c4-0000-7000-8000-000000000001'
const name = `deep/${id}`
const open = (over: Partial<S3Place> = {}, egress = egressWith()) =>
  createS3Objects({ egress, clock: systemClock() }, { ...place, ...over })

beforeEach(async () => {
  bucket = await testBucket()
  const credential = `${bucketKey.id}:${bucketKey.secret}`
  place = { endpoint: bucket.endpoint, region: 'eu-test-1', bucket: 'backups', prefix: 'deep/', credential }
})
afterEach(closeAll)

async function* pieces(bytes: Uint8Array, size = 1_048_592): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

describe('files in a bucket', () => {
  test.each([1, partBytes, partBytes + 1, 2 * partBytes + 12_345])(
    '%i bytes come back as they were',
    async (length) => {
      const bytes = randomBytes(length)
      await open().write(id, pieces(bytes))
      expect(await all(open().read(id))).toBe(createHash('sha256').update(bytes).digest('hex'))
      expect(await open().size(id)).toBe(length)
      expect(bucket.calls.filter((line) => line.includes('partNumber')).length).toBe(
        length > partBytes ? Math.ceil(length / partBytes) : 0,
      )
      expect([...bucket.files.keys()]).toEqual([name])
      expect(bucket.open.size).toBe(0)
      await open().remove(id)
      await open().remove(id)
      expect(await open().size(id)).toBeNull()
    },
  )

  test('what fails for a moment is tried again, and what goes on failing leaves neither a file nor an upload', async () => {
    const bytes = randomBytes(2 * partBytes)
    bucket.fail(/partNumber=1/, 2)
    await open().write(id, pieces(bytes))
    expect(bucket.files.get(name)?.length).toBe(bytes.length)
    bucket.files.clear()
    bucket.fail(/partNumber=2/, 3)
    await expect(open().write(id, pieces(bytes))).rejects.toThrow('503 (SlowDown)')
    expect([bucket.files.size, bucket.open.size]).toEqual([0, 0])
  })

  test('an upload whose source breaks is called off', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(randomBytes(2 * partBytes + 1))
      throw new Error('the snapshot broke')
    }
    await expect(open().write(id, broken())).rejects.toThrow('the snapshot broke')
    expect([bucket.files.size, bucket.open.size]).toEqual([0, 0])
  })

  test('a range is read alone', async () => {
    await open().write(id, pieces(Buffer.from('0123456789')))
    const parts: Uint8Array[] = []
    for await (const part of open().read(id, { start: 2, end: 4 })) parts.push(part)
    expect(Buffer.concat(parts).toString()).toBe('234')
  })

  test('uploads that a killed process left are called off by the name of their file', async () => {
    bucket.open.set('left', { name, parts: new Map() })
    bucket.open.set('of-another', { name: 'deep/other', parts: new Map() })
    await open().abortUploads(id)
    expect([...bucket.open.keys()]).toEqual(['of-another'])
  })

  test('another key and another bucket are refused, a good one is told by a file that is not there', async () => {
    await open().check()
    await expect(open({ credential: `${bucketKey.id}:anotherSecret123` }).check()).rejects.toThrow('403')
    await expect(open({ bucket: 'others' }).check()).rejects.toThrow('403')
  })

  test('C50 the address is judged by the network guard', async () => {
    const guarded = egressWith({ allowedPrivate: [] })
    await expect(open({}, guarded).check()).rejects.toMatchObject({ kind: 'refused' })
    await expect(open({ endpoint: 'http://169.254.169.254' }, guarded).check()).rejects.toMatchObject({
      kind: 'refused',
    })
    expect(bucket.calls).toEqual([])
  })
})
