import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { BlobError } from '../blobs/port.ts'
import { apiErrors } from '../errors/errors.ts'
import type { BlobAnswer } from '../module/route.ts'
import { matchesEtag } from './answer/etag.ts'
import { rangeOf } from './answer/range.ts'

interface Asking {
  header(name: string): string | undefined
}

/** Writes a stored file, or the part of it that the caller asks for. @throws API-013, API-017 */
export async function sendBlob(reply: FastifyReply, call: Asking, answer: BlobAnswer): Promise<FastifyReply> {
  const { blob, headers } = answer
  const { etag = '' } = headers
  if (matchesEtag(call.header('if-none-match'), etag)) return reply.headers(headers).code(304).send()
  const ifRange = call.header('if-range')
  const range = rangeOf(ifRange === undefined || ifRange === etag ? call.header('range') : undefined, blob.bytes)
  if (range === 'unsatisfiable')
    throw apiErrors.rangeNotSatisfiable({ bytes: blob.bytes }).withHeaders({ 'content-range': `bytes */${blob.bytes}` })
  const { start, end } = range ?? { start: 0, end: blob.bytes - 1 }
  const chunks = await begun(blob.read(range ?? undefined))
  return reply
    .headers(headers)
    .headers(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${blob.bytes}` })
    .header('content-length', String(end - start + 1))
    .header('content-type', answer.contentType)
    .code(range === null ? 200 : 206)
    .send(Readable.from(chunks, { objectMode: false, highWaterMark: 65_536 }))
}

/** Reads the first piece before the head of the answer is written, so that a file that is gone is an error with a code. */
async function begun(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const rest = chunks[Symbol.asyncIterator]()
  const first = await rest.next().catch((error: unknown) => {
    if (error instanceof BlobError && error.kind === 'missing')
      throw apiErrors.notFound({ what: 'file' }).causedBy(error)
    throw error
  })
  return (async function* () {
    try {
      for (let step = first; step.done !== true; step = await rest.next())
        if (step.value.byteLength > 0) yield step.value
    } finally {
      await rest.return?.()
    }
  })()
}
