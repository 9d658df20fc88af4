import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { BlobAnswer, EndlessAnswer, type Route, StreamAnswer, type Trailers } from '../module/route.ts'
import { matchesEtag } from './answer/etag.ts'
import type { Call } from './call.ts'
import { limitHeaders, securityHeaders } from './headers.ts'
import type { StoredAnswer } from './idempotency.ts'
import type { HttpParts } from './parts.ts'
import { sendBlob } from './send-blob.ts'

type SendParts = Pick<HttpParts, 'kernel' | 'drain'>

export type Send = (
  reply: FastifyReply,
  call: Call,
  answer: StoredAnswer | StreamAnswer,
) => FastifyReply | Promise<FastifyReply>

/**
 * Writes answers. A complete body goes straight to the socket with all headers in one list: the framework's own way of
 * setting a dozen headers one by one and walking its send hooks costs more than the rest of the HTTP layer.
 */
export function answerSender({ kernel, drain }: SendParts, { conditional }: Pick<Route, 'conditional'>): Send {
  const fixed = Object.entries(securityHeaders(kernel.config.publicUrl)).flat()
  return (reply, call, answer) => {
    if (answer instanceof EndlessAnswer) drain.endless(reply.raw, answer.stop)
    if (answer instanceof BlobAnswer) return sendBlob(reply, call, answer)
    if (answer instanceof StreamAnswer) return stream(reply, answer)
    const unchanged = conditional && matchesEtag(call.header('if-none-match'), answer.headers.etag ?? '')
    const headers = [...fixed, 'x-request-id', call.shownId, 'traceparent', call.traceparent]
    if (call.limit !== null) append(headers, limitHeaders(call.limit))
    append(headers, answer.headers)
    reply.hijack()
    if (unchanged) {
      reply.raw.writeHead(304, headers).end()
    } else {
      if (answer.headers['content-type'] === undefined && answer.body !== '')
        headers.push('content-type', 'application/json; charset=utf-8')
      // RFC 9110 section 8.6: a 204 must not carry it.
      if (answer.status !== 204) headers.push('content-length', String(Buffer.byteLength(answer.body)))
      reply.raw.writeHead(answer.status, headers).end(answer.body)
    }
    return reply
  }
}

function append(headers: string[], more: Readonly<Record<string, string>>): void {
  for (const name in more) headers.push(name, more[name] ?? '')
}

function stream(reply: FastifyReply, answer: StreamAnswer): FastifyReply {
  const { trailers } = answer
  // HTTP/1.0 has no place for them.
  const trailed = trailers !== null && reply.request.raw.httpVersion !== '1.0'
  if (trailed) reply.header('trailer', trailers.names.join(', '))
  const chunks = trailed ? withTrailers(answer.chunks, trailers, reply.raw) : answer.chunks
  return reply
    .headers(answer.headers)
    .header('content-type', answer.contentType)
    .code(200)
    .send(Readable.from(chunks, { objectMode: false, highWaterMark: 65_536 }))
}

async function* withTrailers(
  chunks: StreamAnswer['chunks'],
  trailers: Trailers,
  response: ServerResponse,
): AsyncGenerator<string | Uint8Array> {
  yield* chunks
  response.addTrailers(trailers.read())
}

/** Marks an answer that was given before. */
export function asReplay(answer: StoredAnswer | StreamAnswer): StoredAnswer | StreamAnswer {
  if (answer instanceof StreamAnswer) return answer
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } }
}
