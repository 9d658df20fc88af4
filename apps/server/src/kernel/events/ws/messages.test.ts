import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMessage } from './messages.ts'

const codeOf = (value: unknown): string => {
  const read = readMessage(typeof value === 'string' ? value : JSON.stringify(value))
  return 'problem' in read ? read.problem.code : 'read'
}

describe('a client message', () => {
  test.each([
    ['{', 'API-021'],
    ['[]', 'API-021'],
    ['null', 'API-021'],
    ['"ping"', 'API-021'],
    [{}, 'API-020'],
    [{ type: 'dance' }, 'API-020'],
    [{ type: 'constructor' }, 'API-020'],
    [{ type: 'subscribe' }, 'API-021'],
    [{ type: 'subscribe', channels: [] }, 'API-021'],
    [{ type: 'subscribe', channels: [1] }, 'API-021'],
    [{ type: 'subscribe', channels: Array.from({ length: 10_000 }, () => 'a') }, 'API-023'],
    [{ type: 'subscribe', channels: ['*'], durable: 'with space' }, 'API-021'],
    [{ type: 'ack', positions: { a: 'not an id' } }, 'API-021'],
    [{ type: 'ping', later: 'unknown members are ignored' }, 'read'],
    [{ type: 'subscribe', channels: ['*'], resume: { a: 'b' } }, 'read'],
    ['['.repeat(60_000), 'API-021'],
    [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'API-020'],
  ])('%j is %s', (value, code) => {
    expect(codeOf(value)).toBe(code)
  })

  test('C23 of any bytes is answered and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => typeof codeOf(text) === 'string'),
    )
  })

  test('keeps what is to be echoed, even when it is refused', () => {
    expect(readMessage('{"type":"dance","request":"r1"}')).toMatchObject({ replyTo: 'r1' })
    expect(readMessage('{"type":"ping","request":{"a":1}}')).toMatchObject({ replyTo: undefined })
  })
})
