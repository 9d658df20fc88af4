/**
 * The file of an export on its way to the blobs: written, compressed, hashed, sealed, never whole in memory. Promises that
 * what is told about the file is what a download gives. Tested in exports.test.ts.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ExportedCall } from './formats/exported-call.ts'
import { formats } from './formats/format.ts'
import { openFile, sealFile } from './sealed-file.ts'
import type { ExportRow } from './tables.ts'

type Chunks = AsyncIterable<Uint8Array>
type Parts = Pick<Kernel, 'blobs' | 'random' | 'tenantKeys'>

export interface StoredFile {
  readonly row_count: number
  readonly bytes: number
  readonly sha256: string
  readonly blob_sha256: string
  readonly wrapped_key: Uint8Array
}

const keyAddress = (id: string) => ({ table: 'gateway_request_export', column: 'wrapped_key', rowId: id })

/** Every attempt has a key of its own, so what a broken one left behind cannot be read. @throws BlobError `too_large` */
export async function storeFile(
  { blobs, random, tenantKeys }: Parts,
  asked: Pick<ExportRow, 'id' | 'tenant_id' | 'format' | 'gzip' | 'include_payload'> & { readonly tenantId: TenantId },
  pages: AsyncIterable<readonly ExportedCall[]>,
): Promise<StoredFile> {
  const told = { rows: 0, bytes: 0, hash: createHash('sha256') }
  const text = written(asked, pages, told)
  const content = counted(asked.gzip ? gzipped(text) : text, told)
  const key = random.bytes(32)
  const { sha256: blob } = await blobs.put(
    asked.tenantId,
    sealFile({ key, place: [asked.tenantId, asked.id] }, random, content),
  )
  return {
    row_count: told.rows,
    bytes: told.bytes,
    sha256: told.hash.digest('hex'),
    blob_sha256: blob,
    wrapped_key: await tenantKeys.encrypt(asked.tenantId, keyAddress(asked.id), key),
  }
}

export interface KeptFile {
  readonly id: string
  readonly blob_sha256: string
  readonly wrapped_key: Uint8Array
}

/** The file as it was told about. Not for use inside a transaction. @throws BlobError, Error when it was changed */
export async function readFile({ blobs, tenantKeys }: Parts, tenantId: TenantId, file: KeptFile): Promise<Chunks> {
  const key = await tenantKeys.decrypt(tenantId, keyAddress(file.id), file.wrapped_key)
  const { body } = await blobs.read(tenantId, file.blob_sha256)
  return openFile({ key, place: [tenantId, file.id] }, body)
}

async function* written(
  { format, include_payload: withPayload }: Pick<ExportRow, 'format' | 'include_payload'>,
  pages: AsyncIterable<readonly ExportedCall[]>,
  told: { rows: number },
): Chunks {
  yield* formats[format].write(rowsCounted(pages, told), withPayload)
}

async function* rowsCounted(
  pages: AsyncIterable<readonly ExportedCall[]>,
  told: { rows: number },
): AsyncGenerator<readonly ExportedCall[]> {
  for await (const calls of pages) {
    told.rows += calls.length
    yield calls
  }
}

async function* gzipped(chunks: Chunks): Chunks {
  const gzip = createGzip()
  // One page ahead: the default of streams of objects is sixteen.
  const fed = pipeline(Readable.from(chunks, { highWaterMark: 1 }), gzip)
  // A source that fails destroys the stream, which then throws the same below.
  fed.catch(() => {})
  yield* gzip
  await fed
}

async function* counted(chunks: Chunks, told: { bytes: number; readonly hash: ReturnType<typeof createHash> }): Chunks {
  for await (const chunk of chunks) {
    told.bytes += chunk.byteLength
    told.hash.update(chunk)
    yield chunk
  }
}
