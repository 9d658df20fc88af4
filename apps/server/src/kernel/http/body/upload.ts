/**
 * Files in bodies: decoded, measured and stored as blobs on their way, before the handler runs. Promises that a handler
 * sees a file only when all of it is stored, and that a file of a call that fails, or is a repetition, does not stay.
 * Tested in test/kernel/uploads.test.ts.
 */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { BlobError } from '../../blobs/port.ts'
import { apiErrors, authErrors } from '../../errors/errors.ts'
import { ProblemError } from '../../errors/problem.ts'
import type { Kernel } from '../../kernel.ts'
import type { ReceivedBytes, Route, UploadDeclaration, UploadedFile } from '../../module/route.ts'
import { bodyReader } from '../../schema/validators.ts'
import { decodedBody } from './content-encoding.ts'
import { type FilePart, readMultipart } from './multipart.ts'

export interface Received {
  /** Valid by the route's schema. */
  readonly body: unknown
  /** Null where the body is not stored. */
  readonly file: UploadedFile | null
  /** Null where the body is stored. */
  readonly received: ReceivedBytes | null
}

export interface Uploads {
  /**
   * Stores the file of a request and lends it to `work`. It goes again where that fails or gives a stored answer.
   * @throws API-001, API-005, API-006, API-018, API-019, and the errors of `work`
   */
  receive<T extends Done>(
    route: UploadRoute,
    request: FastifyRequest,
    work: (received: Received) => Promise<T>,
  ): Promise<T>
}

type UploadRoute = Pick<Route, 'upload' | 'body' | 'path'>

interface Done {
  readonly replayed: boolean
}

export function createUploads(kernel: Kernel): Uploads {
  return {
    receive: async (route, request, work) => {
      if (route.upload?.as === 'memory') return work(await inMemory(route.upload, request))
      const received = await stored(kernel, route, request)
      try {
        const done = await work(received)
        if (done.replayed) remove(kernel, request, received.file)
        return done
      } catch (error) {
        remove(kernel, request, received.file)
        throw error
      }
    },
  }
}

async function stored(
  kernel: Kernel,
  { upload, body, path }: UploadRoute,
  request: FastifyRequest,
): Promise<Received & { readonly file: UploadedFile }> {
  if (upload === null) throw new TypeError(`${path} declares no upload`)
  const kept: UploadedFile[] = []
  const store = async (part: FilePart): Promise<UploadedFile> => {
    const file = await keep(kernel, request, { upload, part })
    kept.push(file)
    return file
  }
  try {
    const { fields, file } = await read(upload, request, store)
    return { body: bodyReader(body)(fields), file, received: null }
  } catch (error) {
    for (const file of kept) remove(kernel, request, file)
    throw closing(toProblem(error, upload))
  }
}

async function inMemory(upload: UploadDeclaration, request: FastifyRequest): Promise<Received> {
  try {
    const mediaType = expected(upload, request.headers['content-type'] ?? '')
    // Bytes become types here, as below.
    const payload = (request.body ?? request.raw) as Readable
    const content = await bytesOf(decodedBody(payload, request.headers['content-encoding']), upload.maxBytes)
    return { body: {}, file: null, received: { mediaType, content } }
  } catch (error) {
    throw closing(error)
  }
}

/** @throws API-005 */
async function bytesOf(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw apiErrors.tooLarge({ limit: maxBytes })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

interface Read {
  readonly fields: Readonly<Record<string, string>>
  readonly file: UploadedFile
}

async function read(
  upload: UploadDeclaration,
  request: FastifyRequest,
  store: (part: FilePart) => Promise<UploadedFile>,
): Promise<Read> {
  const type = request.headers['content-type'] ?? ''
  // Bytes become types here: the parser of upload routes hands the stream on.
  const payload = (request.body ?? request.raw) as Readable
  const content = () => decodedBody(payload, request.headers['content-encoding'])
  if (upload.as === 'multipart') {
    if (mediaTypeOf(type) !== 'multipart/form-data') throw apiErrors.mediaType({ expected: 'multipart/form-data' })
    return readMultipart(content(), type, store)
  }
  const mediaType = expected(upload, type)
  return { fields: {}, file: await store({ mediaType, name: null, content: content() }) }
}

interface Kept {
  readonly upload: UploadDeclaration
  readonly part: FilePart
}

async function keep({ blobs }: Kernel, { call }: FastifyRequest, { upload, part }: Kept): Promise<UploadedFile> {
  if (call.actor === null) throw authErrors.missing()
  const mediaType = expected(upload, part.mediaType)
  const blob = await blobs.put(call.actor.tenantId, part.content, { maxBytes: upload.maxBytes })
  return { ...blob, mediaType, name: part.name }
}

/** @throws API-006 */
function expected({ mediaTypes }: UploadDeclaration, header: string): string {
  const mediaType = mediaTypeOf(header)
  if (!mediaTypes.includes(mediaType)) throw apiErrors.mediaType({ expected: mediaTypes.join(' or ') })
  return mediaType
}

function remove(kernel: Kernel, { call: { actor } }: FastifyRequest, file: UploadedFile): void {
  if (actor !== null) kernel.background('upload-discard', kernel.blobs.discard(actor.tenantId, file.id))
}

const mediaTypeOf = (header: string): string => (header.split(';')[0] ?? '').trim().toLowerCase()

function toProblem(error: unknown, upload: UploadDeclaration): unknown {
  if (!(error instanceof BlobError)) return error
  if (error.kind === 'too_large') return apiErrors.tooLarge({ limit: upload.maxBytes })
  return error.kind === 'quota' ? apiErrors.storageFull() : error
}

/** The rest of a refused body is not read, so the connection ends with the answer. */
const closing = (error: unknown): unknown =>
  error instanceof ProblemError ? error.withHeaders({ connection: 'close' }) : error
