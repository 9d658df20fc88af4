import { expect, test } from 'vitest'
import { once } from './once.ts'

test('is made at the first time of asking and never again, also where it is nothing', () => {
  const made: number[] = []
  const nothing = once(() => void made.push(1))
  expect(made).toEqual([])
  nothing()
  nothing()
  expect(made).toEqual([1])
})

test('all who ask have the same', () => {
  const work = once(() => ({}))
  expect(work()).toBe(work())
})
