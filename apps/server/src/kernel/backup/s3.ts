/**
 * A bucket that speaks S3 as a place for backups. Files over a part's size go up in parts and are there at once or not at
 * all; what a broken upload leaves is taken away again. Tested in s3.test.ts.
 */
import type { EgressResponse } from '../egress/exchange.ts'
import { createS3Client, expectStatus, type S3Call, type S3Parts, type S3Place, told } from '../s3/client.ts'
import type { BackupStore } from './store.ts'

/** Bytes; the protocol's least is 5 MiB and its most is 10,000 parts. */
export const partBytes = 8 * 1_048_576

type Send = (call: Omit<S3Call, 'name'> & { readonly id: string }) => Promise<EgressResponse>

export function createS3Store(parts: S3Parts, place: S3Place): BackupStore {
  const client = createS3Client(parts, place)
  const send: Send = ({ id, ...call }) => client({ ...call, name: `${id}.parapet-backup` })
  return {
    // A name nobody has: 404 says that the address, the bucket and the key are good.
    check: async () => {
      const { status } = await told(send({ method: 'HEAD', id: 'check' }))
      if (status !== 404 && status !== 200) throw new Error(`the bucket answers ${status}`)
    },
    write: (id, chunks) => write(send, id, chunks),
    read: (id) => read(send, id),
    size: async (id) => {
      const { status, headers } = await told(send({ method: 'HEAD', id }))
      return status === 200 ? Number(headers['content-length']) : null
    },
    remove: async (id) => {
      expectStatus(await told(send({ method: 'DELETE', id })), [200, 204, 404])
    },
  }
}

async function* read(send: Send, id: string): AsyncGenerator<Uint8Array> {
  const answer = await send({ method: 'GET', id, maxBytes: Number.MAX_SAFE_INTEGER })
  if (answer.status !== 200) expectStatus(await told(Promise.resolve(answer)), [200])
  yield* answer.body
}

async function write(send: Send, id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = partsOf(chunks)
  const first = await pieces.next()
  const second = first.done === true ? first : await pieces.next()
  if (second.done === true) {
    expectStatus(await told(send({ method: 'PUT', id, body: first.value ?? new Uint8Array() })), [200])
    return
  }
  const upload = await begin(send, id)
  try {
    const tags: string[] = []
    const put = async (body: Uint8Array) => {
      tags.push(await putPart(send, { id, upload, number: tags.length + 1, body }))
    }
    if (first.value !== undefined) await put(first.value)
    await put(second.value)
    for await (const piece of pieces) await put(piece)
    await complete(send, { id, upload, tags })
  } catch (error) {
    await told(send({ method: 'DELETE', id, query: { uploadId: upload } })).catch(() => undefined)
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

async function begin(send: Send, id: string): Promise<string> {
  const { text } = expectStatus(await told(send({ method: 'POST', id, query: { uploads: '' } })), [200])
  const upload = /<UploadId>([^<]{1,2000})<\/UploadId>/.exec(text)?.[1]
  if (upload === undefined) throw new Error('the bucket began no upload')
  return upload
}

interface Part {
  readonly id: string
  readonly upload: string
  readonly number: number
  readonly body: Uint8Array
}

async function putPart(send: Send, { id, upload, number, body }: Part): Promise<string> {
  const query = { partNumber: String(number), uploadId: upload }
  const { headers } = expectStatus(await told(send({ method: 'PUT', id, query, body })), [200])
  if (typeof headers.etag !== 'string') throw new Error('the bucket named no tag of a part')
  return headers.etag
}

interface Upload {
  readonly id: string
  readonly upload: string
  readonly tags: readonly string[]
}

/** The answer begins with 200 before the work is done, so a failure is told in its text. */
async function complete(send: Send, { id, upload, tags }: Upload): Promise<void> {
  const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
  const answer = expectStatus(await told(send({ method: 'POST', id, query: { uploadId: upload }, body })), [200])
  if (answer.text.includes('<Error>')) expectStatus({ ...answer, status: 500 }, [200])
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
