import { BinaryReader } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTraceRequest, writeTraceResponse } from './wire.ts'

test('any bytes are a message or are refused, and end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        expect(typeof readTraceRequest(bytes)).toBe('object')
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
    }),
  )
})

test('values in values are refused below a depth', () => {
  // resource spans, scope spans, span, attribute, value, then lists of lists.
  let bytes: number[] = []
  const around = (field: number, inner: readonly number[]) => [(field << 3) | 2, ...varint(inner.length), ...inner]
  const varint = (n: number): number[] => (n < 128 ? [n] : [(n & 127) | 128, ...varint(n >>> 7)])
  for (let depth = 0; depth < 30; depth += 1) bytes = around(1, around(5, bytes))
  const request = around(1, around(2, around(2, around(9, around(2, around(5, bytes))))))
  expect(() => readTraceRequest(Uint8Array.from(request))).toThrow('too deep')
})

test('the answer says how many spans were rejected, and nothing where none was', () => {
  expect(writeTraceResponse(0, '')).toHaveLength(0)
  const reader = new BinaryReader(writeTraceResponse(3, 'too old'))
  expect(reader.tag()).toEqual([1, 2])
  reader.uint32()
  reader.tag()
  expect(Number(reader.int64())).toBe(3)
  reader.tag()
  expect(reader.string()).toBe('too old')
})
