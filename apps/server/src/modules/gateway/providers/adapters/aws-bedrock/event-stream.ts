/**
 * Amazon's binary event stream: messages with a length, headers, a body and two checksums. Promises the same frames
 * however the bytes are split, and that a message with wrong checksums is rejected. Tested in event-stream.test.ts.
 */
import { crc32 } from 'node:zlib'
import { EventStreamCodec } from '@smithy/core/event-streams'
import { UpstreamFault } from '../../fault.ts'
import type { Framing, StreamFrame } from '../../framing.ts'
import { faultOfException } from './errors.ts'

/** Two lengths and their checksum. */
const preludeBytes = 12
/** A message without headers and body. */
const leastBytes = 16
/** Maximum size of one event, for every provider. */
const mostBytes = 1_048_576

const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()
const codec = new EventStreamCodec(
  (bytes) => decoder.decode(typeof bytes === 'string' ? encoder.encode(bytes) : bytes),
  (text) => encoder.encode(text),
)

export const eventStream: Framing = {
  contentType: 'application/vnd.amazon.eventstream',
  frames: async function* (bytes) {
    const cutter = createCutter()
    for await (const chunk of bytes) for (const message of cutter.push(chunk)) yield readMessage(message)
    if (cutter.rest() > 0) throw new UpstreamFault('invalid', 'its stream ends inside a message')
  },
}

/** Pieces are put together when a message is complete and not before, so that many small ones cost no more than a few. */
function createCutter() {
  let pieces: Uint8Array[] = []
  let size = 0
  let wanted = preludeBytes
  return {
    /** One at a time, so that those before a garbled one are not lost with it. */
    push: function* (chunk: Uint8Array): Generator<Uint8Array> {
      pieces.push(chunk)
      size += chunk.length
      while (size >= wanted) {
        const [only = chunk] = pieces
        const held = pieces.length === 1 ? only : Buffer.concat(pieces)
        pieces = [held]
        if (wanted === preludeBytes) {
          wanted = lengthIn(held)
          continue
        }
        const message = held.subarray(0, wanted)
        pieces = [held.subarray(wanted)]
        size -= wanted
        wanted = preludeBytes
        yield message
      }
    },
    rest: () => size,
  }
}

/** The length a message says it has, once its checksum vouches for it: a wrong one would be waited for. */
function lengthIn(held: Uint8Array): number {
  const view = new DataView(held.buffer, held.byteOffset, preludeBytes)
  const length = view.getUint32(0)
  const isWhole = crc32(held.subarray(0, preludeBytes - 4)) === view.getUint32(preludeBytes - 4)
  if (!isWhole || length < leastBytes) throw garbled()
  if (length > mostBytes) throw new UpstreamFault('invalid', 'an event of its stream is too large')
  return length
}

function readMessage(message: Uint8Array): StreamFrame {
  const { headers, data } = decoded(message)
  const kind = textOf(headers[':message-type'])
  if (kind === 'event') return { event: textOf(headers[':event-type']), data }
  if (kind === 'exception') throw faultOfException(textOf(headers[':exception-type']) ?? '', data)
  if (kind !== 'error') throw garbled()
  const told = JSON.stringify({ message: textOf(headers[':error-message']) ?? '' })
  throw faultOfException(textOf(headers[':error-code']) ?? '', told)
}

function decoded(message: Uint8Array) {
  try {
    const { headers, body } = codec.decode(message)
    return { headers, data: decoder.decode(body) }
  } catch (error) {
    throw garbled(error)
  }
}

function textOf(header: { readonly value: unknown } | undefined): string | null {
  return typeof header?.value === 'string' ? header.value : null
}

function garbled(cause?: unknown): UpstreamFault {
  return new UpstreamFault('invalid', 'a message of its stream is garbled', { cause })
}
