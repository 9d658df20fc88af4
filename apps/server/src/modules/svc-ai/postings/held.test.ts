import { expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { createHeld, type Place } from './held.ts'

const tenantId = '0190c000-0000-7000-8000-000000000001' as TenantId
const place = (sourceId: string, version = '1'): Place => ({ tenantId, sourceId, version })

function counted(mostBytes: number) {
  const reads: string[] = []
  const held = createHeld({
    mostBytes: () => mostBytes,
    read: async ({ sourceId, version }) => {
      reads.push(`${sourceId}${version}`)
      return { bytes: 10, name: `${sourceId}${version}` }
    },
  })
  return { held, reads }
}

test('is read once, also for two callers at once, and again for another version', async () => {
  const { held, reads } = counted(100)
  const [first, second] = await Promise.all([held.get(place('a')), held.get(place('a'))])
  expect([first.name, second.name, (await held.get(place('a'))).name]).toEqual(['a1', 'a1', 'a1'])
  expect((await held.get(place('a', '2'))).name).toBe('a2')
  expect(reads).toEqual(['a1', 'a2'])
  expect(held.bytes()).toBe(10)
})

test('goes least used first where the bytes are too many; the newest always stays', async () => {
  const { held, reads } = counted(20)
  for (const id of ['a', 'b', 'a', 'c']) await held.get(place(id))
  expect(held.bytes()).toBe(20)
  // b went for c, and a, which was used since, stayed.
  for (const id of ['a', 'b']) await held.get(place(id))
  expect(reads).toEqual(['a1', 'b1', 'c1', 'b1'])
  const small = counted(5)
  expect((await small.held.get(place('a'))).name).toBe('a1')
  expect(small.held.bytes()).toBe(10)
})

test('a read that fails is tried again', async () => {
  let fails = true
  const held = createHeld({
    mostBytes: () => 100,
    read: async () => {
      if (fails) throw new Error('no')
      return { bytes: 1 }
    },
  })
  await expect(held.get(place('a'))).rejects.toThrow('no')
  fails = false
  expect(await held.get(place('a'))).toEqual({ bytes: 1 })
})
