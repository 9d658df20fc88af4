/** Test support: messages of Amazon's event stream, written by hand after the description of the format. */
import { crc32 } from 'node:zlib'

const textHeader = 7

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([textHeader]),
    length,
    Buffer.from(value),
  ])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function message(headers: Readonly<Record<string, string>>, body: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const lengths = Buffer.concat([uint32(head.length + Buffer.byteLength(body) + 16), uint32(head.length)])
  const unchecked = Buffer.concat([lengths, uint32(crc32(lengths)), head, Buffer.from(body)])
  return Buffer.concat([unchecked, uint32(crc32(unchecked))])
}

/** An event of the name; its body is padded as the vendor does it. */
export function eventMessage(name: string, body: object): Buffer {
  const headers = { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' }
  return message(headers, JSON.stringify({ ...body, p: 'abcdefgh' }))
}

export function exceptionMessage(name: string, text: string): Buffer {
  const headers = { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' }
  return message(headers, JSON.stringify({ message: text }))
}
