import { expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import type { Traffic } from '../../gateway/api.ts'
import { isHarmed, watchOthers } from './others.ts'

const traffic = (calls: number, failed: number, p95Ms: number | null): Traffic => ({ calls, failed, p95Ms })

test.each<[string, Traffic, Traffic, boolean]>([
  ['as before', traffic(100, 2, 300), traffic(100, 3, 320), false],
  ['more failures', traffic(100, 2, 300), traffic(100, 8, 300), true],
  ['failures that were there before', traffic(100, 30, 300), traffic(100, 33, 300), false],
  ['much slower', traffic(100, 0, 300), traffic(100, 0, 1_400), true],
  ['three times slower, yet quick', traffic(100, 0, 20), traffic(100, 0, 90), false],
  ['too few calls', traffic(100, 0, 300), traffic(19, 19, 9_000), false],
  ['failures where nothing was known', traffic(0, 0, null), traffic(40, 4, 300), true],
  ['slow where nothing was known', traffic(3, 0, 10), traffic(40, 0, 9_000), false],
])('%s', (_case, before, now, wanted) => {
  expect(isHarmed(before, now)).toBe(wanted)
})

test('a look asks for the others alone and tells no figure of them', async () => {
  const asked: unknown[] = []
  const answers = [traffic(100, 0, 300), traffic(100, 90, 300)]
  const gateway = {
    trafficOfOthers: async (except: TenantId, seconds: number) => {
      asked.push([except, seconds])
      return answers.shift() ?? traffic(0, 0, null)
    },
  }
  const clock = createFakeClock()
  const look = await watchOthers({ gateway, clock }, 'a' as TenantId)
  clock.advance(4_000)
  expect(await look()).toEqual({ name: 'other tenants', value: null, within: false, hard: false, fault: null })
  expect(asked).toEqual([
    ['a', 300],
    ['a', 4],
  ])
})
