import { expect, test } from 'vitest'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { createLookups } from './lookups.ts'

const [one, other] = ['one', 'other'] as TenantId[] as [TenantId, TenantId]

function scene() {
  const reads: {
    readonly tenantId: TenantId
    readonly keys: readonly string[]
    readonly end: (error?: Error) => void
  }[] = []
  const lookUp = createLookups<string>(
    (tenantId, keys) =>
      new Promise((done, fail) => {
        const rows = new Map(keys.filter((key) => key !== 'absent').map((key) => [key, `${tenantId}:${key}`]))
        reads.push({ tenantId, keys, end: (error) => (error === undefined ? done(rows) : fail(error)) })
      }),
  )
  return { reads, lookUp }
}

test('what is asked together, and what is asked meanwhile, shares a read', async () => {
  const { reads, lookUp } = scene()
  const first = [lookUp(one, 'a'), lookUp(one, 'a'), lookUp(one, 'absent')]
  await Promise.resolve()
  const second = [lookUp(one, 'b'), lookUp(one, 'c')]
  expect(reads.map(({ keys }) => keys)).toEqual([['a', 'absent']])
  reads[0]?.end()
  expect(await Promise.all(first)).toEqual(['one:a', 'one:a', undefined])
  await Promise.resolve()
  expect(reads[1]?.keys).toEqual(['b', 'c'])
  reads[1]?.end()
  expect(await Promise.all(second)).toEqual(['one:b', 'one:c'])
})

test('a tenant never waits for another one, nor shares its read', async () => {
  const { reads, lookUp } = scene()
  const asked = [lookUp(one, 'a'), lookUp(other, 'a')]
  await Promise.resolve()
  expect(reads.map(({ tenantId, keys }) => [tenantId, keys])).toEqual([
    [one, ['a']],
    [other, ['a']],
  ])
  for (const { end } of reads) end()
  expect(await Promise.all(asked)).toEqual(['one:a', 'other:a'])
})

test('a read that fails is told to those who went with it and to nobody else', async () => {
  const { reads, lookUp } = scene()
  const first = lookUp(one, 'a')
  await Promise.resolve()
  const second = lookUp(one, 'b')
  reads[0]?.end(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await Promise.resolve()
  reads[1]?.end()
  expect(await second).toBe('one:b')
  const third = lookUp(one, 'c')
  await Promise.resolve()
  reads[2]?.end()
  expect(await third).toBe('one:c')
})
