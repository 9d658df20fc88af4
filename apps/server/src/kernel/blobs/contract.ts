import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ByteRange } from '../base/byte-range.ts'
import { BlobError, type BlobErrorKind, type BlobName, type BlobStore } from './port.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export async function* oneByOne(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

export async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
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

let made = 0
const named = (tenantId = 't'): BlobName => {
  made += 1
  return { tenantId, id: `0195f0c4-0000-7000-8000-${String(made).padStart(12, '0')}` }
}

/** Every store of blobs behaves so; `close` removes what `open` made. */
export function describeBlobStore(
  kind: string,
  { open, close }: { readonly open: () => Promise<BlobStore>; readonly close: () => Promise<void> },
): void {
  describe(`${kind} as a store of blobs`, () => {
    let store: BlobStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(close)
    const read = (name: BlobName, range?: ByteRange) => collect(store.read(name, range))

    test('is usable', () => store.check())

    test.each([0, 1, 300_000, 17 * 1_048_576])('%i bytes come back as they were put', async (length) => {
      const name = named()
      const content = Buffer.alloc(length, 'parapet ')
      await store.put(
        name,
        oneByOne(...[0, 1, 2].map((n) => content.subarray((n * length) / 3, ((n + 1) * length) / 3))),
      )
      expect((await read(name)).equals(content)).toBe(true)
    })

    test.each([
      [{ start: 0, end: 0 }, '0'],
      [{ start: 2, end: 4 }, '234'],
      [{ start: 0, end: 9 }, '0123456789'],
    ])('the range %j is read', async (range, expected) => {
      const name = named()
      await store.put(name, oneByOne(bytes('0123456789')))
      expect((await read(name, range)).toString()).toBe(expected)
    })

    test('a blob that is not there is missing, and deleting it is no error', async () => {
      const name = named()
      expect(await failureKind(read(name))).toBe('missing')
      await store.delete(name)
      await store.put(name, oneByOne(bytes('x')))
      await store.delete(name)
      expect(await failureKind(read(name, { start: 0, end: 0 }))).toBe('missing')
    })

    test('C10 a tenant does not reach the blob of another by its id', async () => {
      const name = named('owner')
      await store.put(name, oneByOne(bytes('private')))
      const other = { ...name, tenantId: 'other' }
      expect(await failureKind(read(other))).toBe('missing')
      await store.delete(other)
      expect((await read(name)).toString()).toBe('private')
    })

    test('a put whose source breaks leaves nothing, also in the middle of a large one', async () => {
      for (const length of [3, 20 * 1_048_576]) {
        const name = named()
        const broken = async function* () {
          yield Buffer.alloc(length)
          throw new Error('the source broke')
        }
        await expect(store.put(name, broken())).rejects.toThrow('the source broke')
        expect(await failureKind(read(name))).toBe('missing')
      }
    })

    test.each(['..', '../t', 'a/b', '', '.writing', 'a\0b'])('C35 the tenant %j is refused', async (tenantId) => {
      const name = { ...named(), tenantId }
      await expect((async () => store.put(name, oneByOne(bytes('x'))))()).rejects.toThrow(RangeError)
      expect(() => store.read(name)).toThrow(RangeError)
    })

    test.each(['', 'abc', '../../etc/passwd', 'aaaaaaaa/aaaa'])('C35 the id %j is refused', async (id) => {
      const name = { tenantId: 't', id }
      expect(() => store.read(name)).toThrow(RangeError)
      await expect((async () => store.delete(name))()).rejects.toThrow(RangeError)
    })
  })
}
