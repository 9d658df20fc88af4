import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BlobError, type BlobErrorKind, type Blobs } from './port.ts'

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}

/** The kind of BlobError a promise rejects with. */
export async function failureKind(promise: Promise<unknown>): Promise<BlobErrorKind> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof BlobError) return error.kind
  throw new Error('No BlobError was thrown.', { cause: error })
}

/** What every blob store does; `makeAdapter` makes one that takes 1 MiB at most. */
export function describeBlobsContract(name: string, makeAdapter: () => Promise<Blobs>): void {
  describe(`${name} blobs`, () => {
    let blobs: Blobs
    beforeAll(async () => {
      blobs = await makeAdapter()
    })
    afterAll(() => blobs.close())

    test('content comes back by the hash of what was put', async () => {
      const content = new Uint8Array([0, 255, 13, 10])
      expect(await blobs.put('t', content)).toEqual({ sha256: hashOf(content), size: 4 })
      expect(new Uint8Array(await blobs.get('t', hashOf(content)))).toEqual(content)
      expect(await blobs.stat('t', hashOf(content))).toEqual({ sha256: hashOf(content), size: 4 })
    })

    test('what a tenant has is counted, and no more once it is gone', async () => {
      const stored = [await blobs.put('counted', bytes('ten bytes!')), await blobs.put('counted', bytes('six ...'))]
      await blobs.put('counted', bytes('ten bytes!'))
      expect([await blobs.usage('counted'), await blobs.usage('nobody')]).toEqual([17, 0])
      for (const { sha256 } of stored) await blobs.delete('counted', sha256)
      expect(await blobs.usage('counted')).toBe(0)
    })

    test('empty content is content', async () => {
      const { sha256 } = await blobs.put('t', new Uint8Array())
      expect((await blobs.get('t', sha256)).length).toBe(0)
    })

    test('a stream is stored whole and read as a stream', async () => {
      const content = new Uint8Array(300_000).map((_, index) => index % 251)
      async function* stream() {
        for (let at = 0; at < content.length; at += 70_000) yield content.subarray(at, at + 70_000)
      }
      const { sha256, size } = await blobs.put('t', stream())
      expect({ sha256, size }).toEqual({ sha256: hashOf(content), size: 300_000 })
      const read = await blobs.read('t', sha256)
      expect(read.size).toBe(300_000)
      expect(hashOf(await collect(read.body))).toBe(sha256)
    })

    test('content put twice, or by many at once, is one blob', async () => {
      const content = bytes('the same')
      const infos = await Promise.all(Array.from({ length: 20 }, () => blobs.put('t', content)))
      expect(new Set(infos.map((info) => info.sha256)).size).toBe(1)
      expect(await blobs.delete('t', hashOf(content))).toBe(true)
      expect(await blobs.stat('t', hashOf(content))).toBeNull()
    })

    test.each([
      [{ start: 0, end: 0 }, '0'],
      [{ start: 2, end: 4 }, '234'],
      [{ start: 8, end: 99 }, '89'],
      [{ start: 0, end: 9 }, '0123456789'],
    ])('the range %j is read', async (range, expected) => {
      const { sha256 } = await blobs.put('t', bytes('0123456789'))
      const { size, body } = await blobs.read('t', sha256, range)
      expect(size).toBe(10)
      expect(new TextDecoder().decode(await collect(body))).toBe(expected)
    })

    test.each([
      { start: 10, end: 12 },
      { start: -1, end: 2 },
      { start: 4, end: 3 },
      { start: 0.5, end: 3 },
    ])('the range %j is refused', async (range) => {
      const { sha256 } = await blobs.put('t', bytes('0123456789'))
      expect(await failureKind(blobs.read('t', sha256, range))).toBe('range')
    })

    test('C10 a tenant cannot reach the blobs of another', async () => {
      const { sha256 } = await blobs.put('owner', bytes('private'))
      expect(await blobs.stat('other', sha256)).toBeNull()
      expect(await failureKind(blobs.get('other', sha256))).toBe('missing')
      expect(await failureKind(blobs.read('other', sha256, { start: 0, end: 1 }))).toBe('missing')
      expect(await blobs.delete('other', sha256)).toBe(false)
      expect(new TextDecoder().decode(await blobs.get('owner', sha256))).toBe('private')
    })

    test('a blob over the limit, or whose source breaks, leaves nothing behind', async () => {
      const large = new Uint8Array(1_048_577)
      expect(await failureKind(blobs.put('t', large))).toBe('too_large')
      expect(await blobs.stat('t', hashOf(large))).toBeNull()
      async function* broken() {
        yield bytes('part')
        throw new Error('the source broke')
      }
      await expect(blobs.put('t', broken())).rejects.toThrow('the source broke')
      expect(await blobs.stat('t', hashOf(bytes('part')))).toBeNull()
    })

    test.each(['..', '../t', 'a/b', '', '.writing', 'a\0b'])('C35 the tenant %j is refused', async (tenant) => {
      await expect(blobs.put(tenant, bytes('x'))).rejects.toThrow(RangeError)
      await expect(blobs.get(tenant, hashOf(bytes('x')))).rejects.toThrow(RangeError)
    })

    test.each(['', 'abc', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(63)}/`])(
      'the hash %j is refused',
      async (hash) => {
        await expect(blobs.get('t', hash)).rejects.toThrow(RangeError)
        await expect(blobs.delete('t', hash)).rejects.toThrow(RangeError)
      },
    )
  })
}
