import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textWindowsOf, windowsOf } from './windows.ts'

test('windows are full, cover everything, and hold every stretch of a quarter whole', () => {
  fc.assert(
    fc.property(
      fc.nat(5_000),
      fc.integer({ min: 1, max: 600 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (length, room, where) => {
        const spans = windowsOf(length, room)
        for (const [start, end] of spans) expect(end - start).toBe(Math.min(length, room))
        const stretch = Math.min(length, Math.floor(room / 4))
        const at = Math.floor(where * (length - stretch))
        expect(spans.some(([start, end]) => start <= at && at + stretch <= end)).toBe(true)
      },
    ),
  )
})

test('a text that fits is one window', () => {
  expect(windowsOf(0, 10)).toEqual([[0, 0]])
  expect(windowsOf(10, 10)).toEqual([[0, 10]])
  // Steps of 10 - 2; the last one is moved back from 16 to end with the text.
  expect(windowsOf(25, 10)).toEqual([
    [0, 10],
    [8, 18],
    [15, 25],
  ])
})

test('characters that cost more make shorter windows, without a gap', () => {
  // 16 units each: sixteen ASCII characters, or five of three units and one unit left over.
  expect(textWindowsOf('a'.repeat(20), 16, 3)).toEqual([
    [0, 16],
    [4, 20],
  ])
  expect(textWindowsOf('漢'.repeat(8), 16, 3)).toEqual([
    [0, 5],
    [2, 8],
  ])
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '漢', '😀'), maxLength: 400 }),
      fc.integer({ min: 24, max: 90 }),
      (text, room) => {
        let covered = 0
        for (const [start, end] of textWindowsOf(text, room, 3)) {
          expect(start).toBeLessThanOrEqual(covered)
          expect([...text.slice(start, end)].length).toBeLessThanOrEqual(room)
          covered = end
        }
        expect(covered).toBe(text.length)
      },
    ),
  )
})
