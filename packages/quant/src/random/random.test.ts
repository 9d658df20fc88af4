import { expect, test } from 'vitest'
import { philox4x32 } from './philox.ts'
import { RandomStream, seedKey } from './stream.ts'

const hex = (words: Uint32Array): string => Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(' ')

test('Philox4x32-10 gives the known answers of its authors', () => {
  expect(hex(philox4x32([0, 0, 0, 0], [0, 0]))).toBe('6627e8d5 e169c58d bc57ac4c 9b00dbd8')
  const ones = 0xffffffff
  expect(hex(philox4x32([ones, ones, ones, ones], [ones, ones]))).toBe('408f276d 41c83b0e a20bc7c6 6d5451fd')
  expect(hex(philox4x32([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]))).toBe(
    'd16cfe09 94fdcceb 5001e420 24126ea1',
  )
})

test('xoshiro128++ gives the known answers for the state 1, 2, 3, 4', () => {
  const stream = new RandomStream([1, 2, 3, 4])
  expect(Array.from({ length: 10 }, () => stream.next() >>> 0)).toEqual([
    641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
  ])
})

test('a stream begins where it is sought, whatever was drawn before', () => {
  const key = seedKey('18446744073709551615')
  const draw = (stream: RandomStream): number[] => Array.from({ length: 3_000 }, () => stream.next())
  const stream = new RandomStream()
  const first = draw(stream.seek(key, 7, 3))
  expect(draw(stream.seek(key, 8, 3))).not.toEqual(first)
  expect(draw(stream.seek(key, 7, 3))).toEqual(first)
  expect(draw(new RandomStream().seek(seedKey('0'), 7, 3))).not.toEqual(first)
})

test('uniforms keep within the open unit interval and are even', () => {
  const stream = new RandomStream().seek(seedKey('1'), 0, 0)
  const counts = new Array<number>(16).fill(0)
  for (let i = 0; i < 160_000; i += 1) {
    const u = stream.uniform()
    if (!(u > 0 && u < 1)) throw new Error(`${u} is outside`)
    counts[Math.floor(u * 16)] = (counts[Math.floor(u * 16)] ?? 0) + 1
  }
  const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
  // 99.99 % of chi square with 15 degrees of freedom.
  expect(chiSquare).toBeLessThan(44.3)
})

test('a seed is an unsigned 64-bit integer in decimal', () => {
  expect(seedKey('4294967296')).toEqual([0, 1])
  for (const seed of ['', '-1', '1.5', 'x', '18446744073709551616']) expect(() => seedKey(seed)).toThrow(RangeError)
})
