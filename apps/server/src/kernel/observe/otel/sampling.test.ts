import { expect, test } from 'vitest'
import { createSampler } from './sampling.ts'

const seen = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }
const unseen = { ...seen, sampled: false }
const low = `${'f'.repeat(18)}${'0'.repeat(14)}`
const high = `${'0'.repeat(18)}${'f'.repeat(14)}`

test('the default follows the caller and records what begins here', () => {
  const samples = createSampler('parentbased_always_on', 1)
  expect([samples(null, low), samples(seen, low), samples(unseen, high)]).toEqual([true, true, false])
})

test('a sampler that is not by parent does not ask the caller', () => {
  expect(createSampler('always_on', 1)(unseen, low)).toBe(true)
  expect(createSampler('always_off', 1)(seen, high)).toBe(false)
})

// Level 2 of trace context: of the last 56 bits, those at or above the threshold of the share are recorded.
test('a share is of the random part of the id, and all or none at its ends', () => {
  const half = createSampler('traceidratio', 0.5)
  expect([half(null, low), half(null, high)]).toEqual([false, true])
  const middle = `${'0'.repeat(18)}8${'0'.repeat(13)}`
  expect([half(null, middle), createSampler('traceidratio', 0.49)(null, middle)]).toEqual([true, false])
  expect([createSampler('traceidratio', 1)(null, low), createSampler('traceidratio', 0)(null, high)]).toEqual([
    true,
    false,
  ])
})

test('a share by parent counts only where the trace begins', () => {
  const none = createSampler('parentbased_traceidratio', 0)
  expect([none(null, high), none(seen, low)]).toEqual([false, true])
})
