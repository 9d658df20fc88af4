import { expect, test } from 'vitest'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createStopping } from './stopping.ts'

const graceMs = 1_000

function begin() {
  const clock = createFakeClock()
  const stopping = createStopping({ clock, graceMs })
  const seen = { settled: false, idle: false }
  void stopping.settled.then(() => {
    seen.settled = true
  })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await Promise.resolve()
    return seen
  }
  return { stopping, pass, seen }
}

test('a process in which nothing runs stops at once, and not before it is told', async () => {
  const { stopping, pass } = begin()
  expect(await pass(graceMs)).toMatchObject({ settled: false })
  expect(stopping.begun).toBe(false)
  stopping.begin()
  expect(stopping.begun).toBe(true)
  expect(await pass(0)).toMatchObject({ settled: true })
})

test('what runs is waited for, however often it says that it is over', async () => {
  const { stopping, pass } = begin()
  const [one, other] = [stopping.hold(), stopping.hold()]
  stopping.begin()
  one()
  one()
  expect(await pass(0)).toMatchObject({ settled: false })
  other()
  expect(await pass(0)).toMatchObject({ settled: true })
})

test('what runs longer than the grace is given up', async () => {
  const { stopping, pass } = begin()
  stopping.hold()
  stopping.begin()
  stopping.begin()
  expect(await pass(graceMs - 1)).toMatchObject({ settled: false })
  expect(await pass(1)).toMatchObject({ settled: true })
})

test('what can be broken off is told after the grace and has a moment to end by itself', async () => {
  const { stopping, pass } = begin()
  let told = 0
  const left = stopping.hold(() => {
    told += 1
  })
  stopping.begin()
  await pass(graceMs - 1)
  expect(told).toBe(0)
  expect(await pass(1)).toMatchObject({ settled: false })
  expect(told).toBe(1)
  left()
  expect(await pass(0)).toMatchObject({ settled: true })
})

test('who has no end after its last words is given up, and is over all the same when it says so', async () => {
  const { stopping, pass, seen } = begin()
  const left = stopping.hold(() => {})
  stopping.begin()
  await pass(graceMs)
  expect(await pass(4_999)).toMatchObject({ settled: false })
  expect(await pass(1)).toMatchObject({ settled: true })
  void stopping.idle().then(() => {
    seen.idle = true
  })
  expect(await pass(0)).toMatchObject({ idle: false })
  left()
  expect(await pass(0)).toMatchObject({ idle: true })
})

test('what gets so far only after the grace is broken off where it begins', async () => {
  const { stopping, pass } = begin()
  stopping.hold(() => {})
  stopping.begin()
  await pass(graceMs)
  let told = false
  stopping.hold(() => {
    told = true
  })
  expect(told).toBe(true)
})
