/**
 * Compressed bodies of uploads. Promises to unpack at most a hundred times the received bytes, whatever the body
 * claims. Tested in content-encoding.test.ts.
 */
import { pipeline, Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { apiErrors } from '../../errors/errors.ts'
import { ZstdError } from './zstd/fault.ts'
import { zstdUnpacked } from './zstd/zstd.ts'

/** Bytes of content for each byte that arrived; texts reach 20. */
const mostRatio = 100
/** Bytes of content that any body may unpack to: a short text of one letter is no bomb. */
const freeBytes = 1_048_576

interface Encoding {
  readonly label: string
  unpack(packed: Readable): AsyncIterable<Uint8Array>
  /** Whether the error says that the content is broken. */
  isBroken(error: unknown): boolean
}

const gzip: Encoding = {
  label: 'gzip',
  unpack: (packed) => {
    const gunzip = createGunzip()
    // An error of the source destroys it, whose reader learns it.
    pipeline(packed, gunzip, () => undefined)
    return gunzip
  },
  isBroken: (error) =>
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_'),
}

const zstd: Encoding = { label: 'zstd', unpack: zstdUnpacked, isBroken: (error) => error instanceof ZstdError }

const encodings: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['zstd', zstd],
])
const accepted = 'gzip, zstd'

/** @throws API-018 for an encoding we do not unpack; the stream ends with API-001 for one that is broken or a bomb */
export function decodedBody(payload: Readable, encodingName: string | undefined): Readable {
  const name = encodingName?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '') return payload
  const encoding = encodings.get(name)
  if (encoding === undefined)
    throw apiErrors.contentEncoding({ accepted: 'gzip or zstd' }).withHeaders({ 'accept-encoding': accepted })
  return Readable.from(unpacked(payload, encoding), { objectMode: false })
}

async function* unpacked(payload: Readable, encoding: Encoding): AsyncGenerator<Uint8Array> {
  let arrived = 0
  let bytes = 0
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      arrived += chunk.byteLength
      done(null, chunk)
    },
  })
  pipeline(payload, counting, () => undefined)
  try {
    for await (const chunk of encoding.unpack(counting)) {
      bytes += chunk.byteLength
      if (bytes > freeBytes && bytes > arrived * mostRatio)
        throw apiErrors.validation({ what: `The body unpacks to more than ${mostRatio} times its size.` })
      yield chunk
    }
  } catch (error) {
    throw encoding.isBroken(error)
      ? apiErrors.validation({ what: `The body is not valid ${encoding.label}.` }).causedBy(error)
      : error
  }
}
