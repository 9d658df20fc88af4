import { expect, test } from 'vitest'
import { anyTime, zoneClock } from './log-time.ts'

const iso = (at: ReturnType<typeof anyTime>) => (typeof at === 'number' ? new Date(at).toISOString() : at)

test.each([
  ['1711843200', '2024-03-31T00:00:00.000Z'],
  ['1711843200.25', '2024-03-31T00:00:00.250Z'],
  ['1711843200250', '2024-03-31T00:00:00.250Z'],
  ['1711843200250123', '2024-03-31T00:00:00.250Z'],
  ['2024-03-31T00:00:00Z', '2024-03-31T00:00:00.000Z'],
  ['2024-03-31 00:00:00,5 +01:00', '2024-03-30T23:00:00.500Z'],
  ['2024-03-31T00:00:00-0930', '2024-03-31T09:30:00.000Z'],
  ['31/Mar/2024:00:00:00 +0000', '2024-03-31T00:00:00.000Z'],
  ['2024-03-31 00:00:00', 'zoneless'],
  ['2024-03-31', 'zoneless'],
  ['2023-02-29 00:00:00', null],
  ['03/31/2024', null],
  ['', null],
])('%j is %j', (text, wanted) => {
  expect(iso(anyTime(text, null))).toBe(wanted)
})

test('a clock of a zone is read through both changes of daylight saving time', () => {
  const berlin = zoneClock('Europe/Berlin')
  const read = (text: string) => iso(anyTime(text, berlin))
  expect(read('2024-03-31 01:59:59')).toBe('2024-03-31T00:59:59.000Z')
  expect(read('2024-03-31 03:00:00')).toBe('2024-03-31T01:00:00.000Z')
  // Came twice: the first one.
  expect(read('2024-10-27 02:30:00')).toBe('2024-10-27T00:30:00.000Z')
  expect(read('2024-10-27 03:00:00')).toBe('2024-10-27T02:00:00.000Z')
  expect(iso(anyTime('2024-07-01 12:15:00', zoneClock('Asia/Kathmandu')))).toBe('2024-07-01T06:30:00.000Z')
})
