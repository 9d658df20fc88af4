import { expect, test } from 'vitest'
import { createLender, type Lent } from './lent.ts'

const hour = 3_600_000

function stage(borrow: (count: number) => Promise<Lent<string>>) {
  const state = { now: 0, count: 0 }
  const lender = createLender({ now: () => state.now }, () => {
    state.count += 1
    return borrow(state.count)
  })
  return { state, lender }
}

test('many who ask at once borrow once, also when what they held is about to end', async () => {
  const { state, lender } = stage(async (count) => ({ value: `token ${count}`, endsMs: count * hour }))
  const ask = () => Promise.all(Array.from({ length: 50 }, () => lender.current()))
  expect(new Set(await ask())).toEqual(new Set(['token 1']))
  state.now = hour - 300_001
  expect(new Set(await ask())).toEqual(new Set(['token 1']))
  state.now += 1
  expect(new Set(await ask())).toEqual(new Set(['token 2']))
  expect(state.count).toBe(2)
})

test('a loan that fails, fails for all who waited for it, and is tried again by the next', async () => {
  const { state, lender } = stage(async (count) => {
    if (count === 1) throw new Error('away')
    return { value: 'token', endsMs: hour }
  })
  const asked = await Promise.allSettled([lender.current(), lender.current()])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await lender.current()).toBe('token')
  expect(state.count).toBe(2)
})

test('what is not taken any more is dropped once, not what came in its place', async () => {
  const { state, lender } = stage(async (count) => ({ value: `token ${count}`, endsMs: hour }))
  const first = await lender.current()
  lender.drop(first)
  expect(await lender.current()).toBe('token 2')
  lender.drop(first)
  expect(await lender.current()).toBe('token 2')
  expect(state.count).toBe(2)
})
