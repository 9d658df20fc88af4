/**
 * Files in a bucket that speaks S3. Files over a part's size go up in parts and are there at once or not at all;
 * leftovers of a broken upload are removed, by it or with the file. Tested in objects.test.ts.
 */
import type { ByteRange } from '../base/byte-range.ts'
import { createS3Client, expectStatus, type S3Parts, type S3Place, type S3Send, told } from './client.ts'

/** Bytes; the protocol's least is 5 MiB and its most is 10,000 parts. */
export const partBytes = 8 * 1_048_576
/** Bytes asked for at a time: a reader may be slow, and one call has an end. */
const windowBytes = 16 * 1_048_576

export interface S3Objects {
  /** @throws Error when the address, the bucket or the key is wrong */
  check(): Promise<void>
  write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** All of a file or a range within it. @throws Error when it is not there */
  read(name: string, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Bytes, or null where there is no such file. */
  size(name: string): Promise<number | null>
  /** Whether it is there or not. */
  remove(name: string): Promise<void>
  /** Calls off uploads of the file that a process left unfinished. */
  abortUploads(name: string): Promise<void>
}

export function createS3Objects(parts: S3Parts, place: S3Place): S3Objects {
  const send = createS3Client(parts, place)
  const size = async (name: string): Promise<number | null> => {
    const answer = await told(send({ method: 'HEAD', name }))
    if (answer.status === 404) return null
    return Number(expectStatus(answer, [200]).headers['content-length'])
  }
  return {
    // A name that does not exist: 404 says that the address, the bucket and the key are good.
    check: async () => {
      const { status } = await told(send({ method: 'HEAD', name: 'check' }))
      if (status !== 404 && status !== 200) throw new Error(`the bucket answers ${status}`)
    },
    write: (name, chunks) => write(send, name, chunks),
    read: (name, range) => read(send, name, range ?? (() => size(name))),
    size,
    remove: async (name) => {
      expectStatus(await told(send({ method: 'DELETE', name })), [200, 204, 404])
    },
    abortUploads: async (name) => {
      const query = { uploads: '', prefix: `${place.prefix}${name}` }
      const { text } = expectStatus(await told(send({ method: 'GET', name: null, query })), [200])
      for (const [, id = ''] of text.matchAll(/<UploadId>([^<]{1,2000})<\/UploadId>/g)) await abort(send, name, id)
    },
  }
}

async function* read(
  send: S3Send,
  name: string,
  wanted: ByteRange | (() => Promise<number | null>),
): AsyncGenerator<Uint8Array> {
  const { start, end } = typeof wanted === 'function' ? await wholeOf(wanted) : wanted
  for (let at = start; at <= end; at += windowBytes) {
    const range = `bytes=${at}-${Math.min(end, at + windowBytes - 1)}`
    const answer = await send({ method: 'GET', name, headers: { range }, maxBytes: windowBytes })
    if (answer.status !== 206) expectStatus(await told(Promise.resolve(answer)), [206])
    yield* answer.body
  }
}

async function wholeOf(size: () => Promise<number | null>): Promise<ByteRange> {
  const bytes = await size()
  if (bytes === null) throw new Error('the bucket has no such file')
  return { start: 0, end: bytes - 1 }
}

async function write(send: S3Send, name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = partsOf(chunks)
  const first = await pieces.next()
  const second = first.done === true ? first : await pieces.next()
  if (second.done === true) {
    expectStatus(await told(send({ method: 'PUT', name, body: first.value ?? new Uint8Array() })), [200])
    return
  }
  const upload = await begin(send, name)
  try {
    const tags: string[] = []
    const put = async (body: Uint8Array) => {
      tags.push(await putPart(send, { name, upload, number: tags.length + 1, body }))
    }
    if (first.value !== undefined) await put(first.value)
    await put(second.value)
    for await (const piece of pieces) await put(piece)
    await complete(send, { name, upload, tags })
  } catch (error) {
    await abort(send, name, upload).catch(() => undefined)
    throw error
  }
}

/** Whole parts and the rest. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    bytes += chunk.byteLength
    if (bytes < partBytes) continue
    const all = Buffer.concat(held)
    yield all.subarray(0, partBytes)
    held = [all.subarray(partBytes)]
    bytes = all.byteLength - partBytes
  }
  if (bytes > 0) yield Buffer.concat(held)
}

async function begin(send: S3Send, name: string): Promise<string> {
  const { text } = expectStatus(await told(send({ method: 'POST', name, query: { uploads: '' } })), [200])
  const upload = /<UploadId>([^<]{1,2000})<\/UploadId>/.exec(text)?.[1]
  if (upload === undefined) throw new Error('the bucket began no upload')
  return upload
}

async function abort(send: S3Send, name: string, upload: string): Promise<void> {
  expectStatus(await told(send({ method: 'DELETE', name, query: { uploadId: upload } })), [200, 204, 404])
}

interface Part {
  readonly name: string
  readonly upload: string
  readonly number: number
  readonly body: Uint8Array
}

async function putPart(send: S3Send, { name, upload, number, body }: Part): Promise<string> {
  const query = { partNumber: String(number), uploadId: upload }
  const { headers } = expectStatus(await told(send({ method: 'PUT', name, query, body })), [200])
  if (typeof headers.etag !== 'string') throw new Error('the bucket named no tag of a part')
  return headers.etag
}

interface Upload {
  readonly name: string
  readonly upload: string
  readonly tags: readonly string[]
}

/** The answer begins with 200 before the work is done, so a failure is in its text. */
async function complete(send: S3Send, { name, upload, tags }: Upload): Promise<void> {
  const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
  const answer = expectStatus(await told(send({ method: 'POST', name, query: { uploadId: upload }, body })), [200])
  if (answer.text.includes('<Error>')) expectStatus({ ...answer, status: 500 }, [200])
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
