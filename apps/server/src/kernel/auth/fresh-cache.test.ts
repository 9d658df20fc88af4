import { expect, test } from 'vitest'
import { createFreshCache } from './fresh-cache.ts'

function world(capacity = 10) {
  const asked: { key: string; answer: (value: string | null) => void; fail: (error: Error) => void }[] = []
  const clock = { now: 0 }
  const cache = createFreshCache<string>({
    capacity,
    maxAgeMs: 1_000,
    now: () => clock.now,
    load: (key) => new Promise((answer, fail) => asked.push({ key, answer, fail })),
  })
  return { asked, clock, cache }
}

test('those who ask at once share one answer, which is held until it is too old', async () => {
  const { asked, clock, cache } = world()
  const both = Promise.all([cache.fetch('a'), cache.fetch('a')])
  asked[0]?.answer('one')
  expect(await both).toEqual(['one', 'one'])
  expect(asked).toHaveLength(1)
  clock.now = 999
  expect(cache.get('a')).toBe('one')
  clock.now = 1_000
  expect(cache.get('a')).toBeUndefined()
})

test.each(['drop', 'dropWhere'] as const)(
  'an answer on its way when the fact changed (%s) is not held',
  async (how) => {
    const { asked, cache } = world()
    const old = cache.fetch('a')
    if (how === 'drop') cache.drop('a')
    else cache.dropWhere(() => true)
    const renewed = cache.fetch('a')
    asked[1]?.answer('new')
    expect(await renewed).toBe('new')
    asked[0]?.answer('old')
    expect(await old).toBe('old')
    expect(cache.get('a')).toBe('new')
  },
)

test('null and failures are not held', async () => {
  const { asked, cache } = world()
  const nothing = cache.fetch('a')
  asked[0]?.answer(null)
  expect(await nothing).toBeNull()
  const failing = cache.fetch('a')
  asked[1]?.fail(new Error('down'))
  await expect(failing).rejects.toThrow('down')
  const third = cache.fetch('a')
  asked[2]?.answer('back')
  expect(await third).toBe('back')
})

test('it holds no more than its capacity and drops what matches', async () => {
  const { asked, cache } = world(2)
  for (const [index, key] of ['t1/a', 't1/b', 't2/c'].entries()) {
    const fetched = cache.fetch(key)
    asked[index]?.answer(key)
    await fetched
  }
  expect([cache.get('t1/a'), cache.get('t1/b'), cache.get('t2/c')]).toEqual([undefined, 't1/b', 't2/c'])
  cache.dropWhere((key) => key.startsWith('t1/'))
  expect([cache.get('t1/b'), cache.get('t2/c')]).toEqual([undefined, 't2/c'])
})
