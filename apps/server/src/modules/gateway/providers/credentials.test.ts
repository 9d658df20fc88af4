import { expect, test } from 'vitest'
import { createCredentials, type ShortLived } from './credentials.ts'

function world() {
  let now = 0
  let asked = 0
  let failing = false
  const send = () => Promise.reject(new Error('unused'))
  const credentials = createCredentials({ now: () => now }, send)
  const exchange = async (): Promise<ShortLived> => {
    asked += 1
    const n = asked
    await Promise.resolve()
    if (failing) throw new Error('refused')
    return { value: `token ${n}`, expiresAt: now + 600_000 }
  }
  return {
    token: (key = 'k') => credentials.token(key, exchange),
    pass: (ms: number) => {
      now += ms
    },
    fail: (yes: boolean) => {
      failing = yes
    },
    asked: () => asked,
  }
}

test('a token serves until shortly before its end', async () => {
  const { token, pass } = world()
  expect([await token(), await token()]).toEqual(['token 1', 'token 1'])
  pass(530_000)
  expect(await token()).toBe('token 1')
  pass(20_000)
  expect(await token()).toBe('token 2')
})

test('callers at the same time share one exchange, also when a token is over', async () => {
  const { token, pass, asked } = world()
  expect(await Promise.all([token(), token(), token()])).toEqual(['token 1', 'token 1', 'token 1'])
  pass(600_000)
  expect(await Promise.all([token(), token(), token()])).toEqual(['token 2', 'token 2', 'token 2'])
  expect(asked()).toBe(2)
})

test('another key is another token', async () => {
  const { token } = world()
  expect([await token('a'), await token('b')]).toEqual(['token 1', 'token 2'])
})

test('a failed exchange is not remembered', async () => {
  const { token, fail } = world()
  fail(true)
  await expect(token()).rejects.toThrow('refused')
  fail(false)
  expect(await token()).toBe('token 2')
})
