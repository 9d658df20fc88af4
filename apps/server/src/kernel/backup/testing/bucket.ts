/**
 * A bucket in memory for tests: signatures are computed here anew from the published description, uploads in parts follow
 * the protocol's rules, and answers can be made to fail. It is no storage.
 */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isSignedBy } from '../../aws/testing/signature.ts'
import { httpServer } from '../../egress/testing/upstream.ts'

export interface TestBucket {
  readonly endpoint: string
  readonly files: Map<string, Buffer>
  /** What each file was put with. */
  readonly headers: Map<string, IncomingHttpHeaders>
  /** Uploads that were begun and neither ended nor called off. */
  readonly open: Map<string, Map<number, Buffer>>
  readonly calls: string[]
  /** Answers the next calls that match with 503, so many times. */
  fail(pattern: RegExp, times: number): void
}

export const bucketKey = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' } as const
const leastPart = 5 * 1_048_576

export async function testBucket(): Promise<TestBucket> {
  const state = {
    files: new Map(),
    headers: new Map(),
    open: new Map(),
    calls: [] as string[],
    failures: [] as { pattern: RegExp; left: number }[],
  }
  const port = await httpServer((request, response) => {
    void bodyOf(request).then((body) => answer(state, { request, response, body }))
  })
  return {
    ...state,
    endpoint: `http://127.0.0.1:${port}`,
    fail: (pattern, times) => void state.failures.push({ pattern, left: times }),
  }
}

interface State extends Pick<TestBucket, 'files' | 'headers' | 'open' | 'calls'> {
  readonly failures: { readonly pattern: RegExp; left: number }[]
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function answer(state: State, { request, response, body }: Exchange): null {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const line = `${request.method} ${url.pathname}${url.search}`
  state.calls.push(line)
  const send = (status: number, text: string | Buffer = '', headers: Record<string, string> = {}): null => {
    const bytes = Buffer.from(text)
    response.writeHead(status, { 'content-length': String(bytes.length), ...headers })
    response.end(request.method === 'HEAD' ? undefined : bytes)
    return null
  }
  const failure = state.failures.find(({ pattern, left }) => left > 0 && pattern.test(line))
  if (failure !== undefined) {
    failure.left -= 1
    return send(503, '<Error><Code>SlowDown</Code></Error>')
  }
  if (!isSignedBy(request, body, { ...bucketKey, service: 's3' }))
    return send(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
  if (!url.pathname.startsWith('/backups/')) return send(403, '<Error><Code>NoSuchBucket</Code></Error>')
  return serve(
    state,
    {
      request,
      method: request.method ?? '',
      name: url.pathname.slice('/backups/'.length),
      query: url.searchParams,
      body,
    },
    send,
  )
}

interface Served extends Pick<Exchange, 'request'> {
  readonly method: string
  readonly name: string
  readonly query: URLSearchParams
  readonly body: Buffer
}

type Send = (status: number, text?: string | Buffer, headers?: Record<string, string>) => null

function serve({ files, headers, open }: State, { request, method, name, query, body }: Served, send: Send): null {
  const upload = query.get('uploadId')
  const parts = upload === null ? undefined : open.get(upload)
  if (method === 'POST' && query.has('uploads')) {
    const id = `upload-${open.size + 1}&x`
    open.set(id, new Map())
    return send(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  if (upload !== null && parts === undefined) return send(404, '<Error><Code>NoSuchUpload</Code></Error>')
  if (method === 'PUT' && parts !== undefined) {
    parts.set(Number(query.get('partNumber')), body)
    return send(200, '', { etag: tagOf(body) })
  }
  if (method === 'POST' && parts !== undefined && upload !== null) {
    const ordered = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part)
    const tags = [...body.toString().matchAll(/<ETag>([^<]+)<\/ETag>/g)].map(([, tag]) => tag)
    const isWhole = ordered.every(
      (part, at) => tags[at] === tagOf(part) && (at === ordered.length - 1 || part.length >= leastPart),
    )
    if (!isWhole || tags.length !== ordered.length) return send(400, '<Error><Code>InvalidPart</Code></Error>')
    files.set(name, Buffer.concat(ordered))
    open.delete(upload)
    return send(200, '<CompleteMultipartUploadResult/>')
  }
  if (method === 'DELETE') {
    if (upload === null) files.delete(name)
    else open.delete(upload)
    return send(204)
  }
  if (method === 'PUT') {
    if (request.headers['x-amz-object-lock-mode'] !== undefined && !hasDigest(request, body))
      return send(400, '<Error><Code>InvalidRequest</Code></Error>')
    files.set(name, body)
    headers.set(name, request.headers)
    return send(200, '', { etag: tagOf(body) })
  }
  const file = files.get(name)
  return file === undefined ? send(404, '<Error><Code>NoSuchKey</Code></Error>') : send(200, file)
}

/** Without it a real one locks nothing. */
const hasDigest = ({ headers }: IncomingMessage, body: Buffer): boolean =>
  headers['content-md5'] === createHash('md5').update(body).digest('base64')

const tagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`
