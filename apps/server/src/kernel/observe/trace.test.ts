import fc from 'fast-check'
import { expect, test } from 'vitest'
import { childOf, formatTraceparent, newTrace, parseTraceparent, requestTrace } from './trace.ts'

// The example of https://www.w3.org/TR/trace-context/#examples-of-http-traceparent-headers
const example = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const counting = () => {
  let next = 0
  return hexOf((length) => Uint8Array.from({ length }, () => next++ % 256))
}
const hexOf = (bytes: (length: number) => Uint8Array) => (length: number) => Buffer.from(bytes(length)).toString('hex')

test('the example of the standard is read and written unchanged', () => {
  const trace = parseTraceparent(example)
  expect(trace).toEqual({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true })
  expect(trace && formatTraceparent(trace)).toBe(example)
})

test.each([
  ['absent', undefined],
  ['empty', ''],
  ['upper case', example.toUpperCase()],
  ['version ff', example.replace(/^00/, 'ff')],
  ['version 00 with more behind it', `${example}-extra`],
  ['trace id of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['span id of zeros', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
  ['trailing newline', `${example}\n`],
  ['leading space', ` ${example}`],
  ['short', example.slice(0, -1)],
])('refused: %s', (_, header) => {
  expect(parseTraceparent(header)).toBeNull()
})

test('a later version is read by its first four fields', () => {
  expect(parseTraceparent(`cc${example.slice(2)}-what-comes-later`)?.sampled).toBe(true)
  expect(parseTraceparent(`cc${example.slice(2)}.`)).toBeNull()
})

test('a request continues its caller’s trace with a span of its own', () => {
  const { traceparent, parentSpanId } = requestTrace(example, counting(), null)
  expect(parentSpanId).toBe('00f067aa0ba902b7')
  expect(traceparent).toBe('00-4bf92f3577b34da6a3ce929d0e0e4736-0001020304050607-01')
  const own = requestTrace('garbage', counting(), null)
  expect(own).toEqual({
    traceparent: '00-000102030405060708090a0b0c0d0e0f-1011121314151617-00',
    parentSpanId: null,
  })
})

test('where somebody decides what is recorded, the request says so to those after it', () => {
  const asked: unknown[] = []
  const never = (parent: unknown, traceId: string) => {
    asked.push([parent, traceId])
    return false
  }
  expect(requestTrace(example, counting(), never).traceparent).toMatch(/-00$/)
  expect(requestTrace(undefined, counting(), () => true).traceparent).toMatch(/-01$/)
  expect(asked).toEqual([[parseTraceparent(example), '4bf92f3577b34da6a3ce929d0e0e4736']])
})

test('an id of zeros is drawn again', () => {
  const draws = [new Uint8Array(16), new Uint8Array(16).fill(1), new Uint8Array(8).fill(2)]
  expect(newTrace(hexOf(() => draws.shift() ?? new Uint8Array(0))).traceId).toBe('01'.repeat(16))
})

test('what is written is always read back', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.integer({ min: 1, max: 255 })), fc.boolean(), (stream, sampled) => {
      const hex = hexOf((length) => Uint8Array.from([...stream.take(length)]))
      const trace = { ...childOf(newTrace(hex), hex), sampled }
      expect(parseTraceparent(formatTraceparent(trace))).toEqual(trace)
    }),
    { numRuns: 50 },
  )
})
