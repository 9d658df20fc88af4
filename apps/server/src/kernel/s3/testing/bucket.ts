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
  /** Headers of each stored file. */
  readonly headers: Map<string, IncomingHttpHeaders>
  /** Uploads that were begun and neither ended nor called off. */
  readonly open: Map<string, OpenUpload>
  readonly calls: string[]
  /** Answers the next calls that match with 503, so many times. */
  fail(pattern: RegExp, times: number): void
}

interface OpenUpload {
  readonly name: string
  readonly parts: Map<number, Buffer>
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
  if (!/^\/backups(?:\/|$)/.test(url.pathname)) return send(403, '<Error><Code>NoSuchBucket</Code></Error>')
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

function serve(state: State, served: Served, send: Send): null {
  const { method, name, query } = served
  const upload = query.get('uploadId')
  if (method === 'GET' && query.has('uploads')) return listUploads(state, query.get('prefix') ?? '', send)
  if (method === 'POST' && query.has('uploads')) {
    const id = `upload-${state.open.size + 1}&x`
    state.open.set(id, { name, parts: new Map() })
    return send(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  if (upload !== null) return serveUpload(state, served, send)
  return method === 'PUT' || method === 'DELETE' ? change(state, served, send) : read(state, served, send)
}

function listUploads({ open }: State, prefix: string, send: Send): null {
  const found = [...open].filter(([, { name }]) => name.startsWith(prefix))
  const list = found.map(([id, { name }]) => `<Upload><Key>${name}</Key><UploadId>${id}</UploadId></Upload>`)
  return send(200, `<ListMultipartUploadsResult>${list.join('')}</ListMultipartUploadsResult>`)
}

function serveUpload({ open, files }: State, { method, query, name, body }: Served, send: Send): null {
  const id = query.get('uploadId') ?? ''
  const parts = open.get(id)?.parts
  if (parts === undefined) return send(404, '<Error><Code>NoSuchUpload</Code></Error>')
  if (method === 'PUT') {
    parts.set(Number(query.get('partNumber')), body)
    return send(200, '', { etag: tagOf(body) })
  }
  if (method === 'DELETE') {
    open.delete(id)
    return send(204)
  }
  const ordered = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part)
  const tags = [...body.toString().matchAll(/<ETag>([^<]+)<\/ETag>/g)].map(([, tag]) => tag)
  const isWhole = ordered.every(
    (part, at) => tags[at] === tagOf(part) && (at === ordered.length - 1 || part.length >= leastPart),
  )
  if (!isWhole || tags.length !== ordered.length) return send(400, '<Error><Code>InvalidPart</Code></Error>')
  files.set(name, Buffer.concat(ordered))
  open.delete(id)
  return send(200, '<CompleteMultipartUploadResult/>')
}

function change({ files, headers }: State, { request, method, name, body }: Served, send: Send): null {
  if (method === 'DELETE') {
    files.delete(name)
    return send(204)
  }
  if (request.headers['x-amz-object-lock-mode'] !== undefined && !hasDigest(request, body))
    return send(400, '<Error><Code>InvalidRequest</Code></Error>')
  files.set(name, body)
  headers.set(name, request.headers)
  return send(200, '', { etag: tagOf(body) })
}

function read({ files }: State, { request, name }: Served, send: Send): null {
  const file = files.get(name)
  if (file === undefined) return send(404, '<Error><Code>NoSuchKey</Code></Error>')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (start === undefined) return send(200, file)
  if (Number(start) >= file.length) return send(416, '<Error><Code>InvalidRange</Code></Error>')
  const part = file.subarray(Number(start), Number(end) + 1)
  return send(206, part, {
    'content-range': `bytes ${start}-${Number(start) + part.length - 1}/${file.length}`,
  })
}

/** Without it a real one locks nothing. */
const hasDigest = ({ headers }: IncomingMessage, body: Buffer): boolean =>
  headers['content-md5'] === createHash('md5').update(body).digest('base64')

const tagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`
