/**
 * Writes the file of an export to blob storage: streamed and compressed, never whole in memory. The recorded facts
 * about the file match its download. Tested in exports.test.ts.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ExportedCall } from './formats/exported-call.ts'
import { formats } from './formats/format.ts'
import type { ExportRow } from './tables.ts'

type Chunks = AsyncIterable<Uint8Array>

/** Of one file; larger exports need narrower filters. */
const mostBytes = 1_073_741_824

export type StoredFile = Pick<Whole, 'row_count' | 'bytes' | 'sha256' | 'blob_id'>
type Whole = { readonly [K in keyof ExportRow]: NonNullable<ExportRow[K]> }

/** @throws BlobError `too_large`, `quota` */
export async function storeFile(
  { blobs }: Pick<Kernel, 'blobs'>,
  asked: Pick<ExportRow, 'format' | 'gzip' | 'include_payload'> & { readonly tenantId: TenantId },
  pages: AsyncIterable<readonly ExportedCall[]>,
): Promise<StoredFile> {
  const told = { rows: 0 }
  const text = formats[asked.format].write(rowsCounted(pages, told), asked.include_payload)
  const content = asked.gzip ? gzipped(text) : text
  const { id, bytes, sha256 } = await blobs.put(asked.tenantId, content, { maxBytes: mostBytes })
  return { row_count: told.rows, bytes, sha256, blob_id: id }
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
  // One page ahead: object streams buffer sixteen by default.
  const fed = pipeline(Readable.from(chunks, { highWaterMark: 1 }), gzip)
  // A failing source destroys the stream, which then throws the same error below.
  fed.catch(() => {})
  yield* gzip
  await fed
}
