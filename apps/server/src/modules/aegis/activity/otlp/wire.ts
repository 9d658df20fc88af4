/**
 * Reads OTLP trace requests in protobuf into the form that OTLP has in JSON: names in camel case, ids in hexadecimal, 64-bit
 * numbers as decimal text. The wire format is the library's; the messages are tables here, of the fields that are used.
 * Field numbers: opentelemetry-proto 1.x. Pure. Tested in wire.test.ts.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

type Scalar = 'string' | 'hex' | 'fixed64' | 'int64' | 'double' | 'bool' | 'enum'

interface Field {
  readonly name: string
  readonly read: Scalar | (() => Message)
  readonly repeated?: true
}
type Message = ReadonlyMap<number, Field>

const message = (fields: Readonly<Record<number, Field>>): Message =>
  new Map(Object.entries(fields).map(([number, field]) => [Number(number), field]))

const list = (name: string, read: () => Message): Field => ({ name, read, repeated: true })
const one = (name: string, read: Field['read']): Field => ({ name, read })

const anyValue: Message = message({
  1: one('stringValue', 'string'),
  2: one('boolValue', 'bool'),
  3: one('intValue', 'int64'),
  4: one('doubleValue', 'double'),
  5: one('arrayValue', () => message({ 1: list('values', () => anyValue) })),
})
const keyValue = message({ 1: one('key', 'string'), 2: one('value', () => anyValue) })
const attributes = list('attributes', () => keyValue)
const status = message({ 2: one('message', 'string'), 3: one('code', 'enum') })
const span = message({
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'string'),
  6: one('kind', 'enum'),
  7: one('startTimeUnixNano', 'fixed64'),
  8: one('endTimeUnixNano', 'fixed64'),
  9: attributes,
  15: one('status', () => status),
})
const scopeSpans = message({ 2: list('spans', () => span), 3: one('schemaUrl', 'string') })
const resourceSpans = message({ 2: list('scopeSpans', () => scopeSpans), 3: one('schemaUrl', 'string') })
const request = message({ 1: list('resourceSpans', () => resourceSpans) })

/** Messages in messages; attribute values of attribute values are the deepest. */
const mostDepth = 16

/** @throws Error for bytes that are no such message */
export function readTraceRequest(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const reader = new BinaryReader(bytes)
  return readMessage(reader, request, { end: reader.len, depth: 0 })
}

interface Place {
  readonly end: number
  readonly depth: number
}

function readMessage(reader: BinaryReader, type: Message, { end, depth }: Place): Record<string, unknown> {
  if (depth > mostDepth) throw new RangeError('The message nests too deep')
  const value: Record<string, unknown> = {}
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    const field = type.get(number)
    if (field === undefined) {
      reader.skip(wireType, number)
      continue
    }
    const read = readField(reader, field, { wireType, depth })
    if (field.repeated !== true) value[field.name] = read
    else {
      const values = value[field.name]
      if (Array.isArray(values)) values.push(read)
      else value[field.name] = [read]
    }
  }
  if (reader.pos !== end) throw new RangeError('A message ends inside a field')
  return value
}

function readField(
  reader: BinaryReader,
  { read, name }: Field,
  { wireType, depth }: { readonly wireType: WireType; readonly depth: number },
): unknown {
  if (typeof read === 'function') {
    if (wireType !== WireType.LengthDelimited) throw new RangeError(`${name} has a wrong wire type`)
    const length = reader.uint32()
    const end = reader.pos + length
    if (end > reader.len) throw new RangeError('The message is cut')
    return readMessage(reader, read(), { end, depth: depth + 1 })
  }
  if (wireType !== wireTypes[read]) throw new RangeError(`${name} has a wrong wire type`)
  return scalars[read](reader)
}

const wireTypes: Readonly<Record<Scalar, WireType>> = {
  ...{ string: WireType.LengthDelimited, hex: WireType.LengthDelimited },
  ...{ fixed64: WireType.Bit64, double: WireType.Bit64 },
  ...{ int64: WireType.Varint, bool: WireType.Varint, enum: WireType.Varint },
}

const scalars: Readonly<Record<Scalar, (reader: BinaryReader) => unknown>> = {
  string: (reader) => reader.string(),
  hex: (reader) => Buffer.from(reader.bytes()).toString('hex'),
  fixed64: (reader) => String(reader.fixed64()),
  int64: (reader) => String(reader.int64()),
  double: (reader) => reader.double(),
  bool: (reader) => reader.bool(),
  enum: (reader) => reader.int32(),
}

/** `ExportTraceServiceResponse`: empty where all spans were taken. */
export function writeTraceResponse(rejectedSpans: number, errorMessage: string): Uint8Array {
  if (rejectedSpans === 0) return new Uint8Array()
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64(rejectedSpans)
  writer.tag(2, WireType.LengthDelimited).string(errorMessage)
  return writer.join().finish()
}
