import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '../crypto/random.ts'
import type { Spool } from './spool.ts'
import { createSpools } from './spools.ts'

const texts = async (spool: Spool): Promise<string[]> => {
  const found: string[] = []
  await spool.drain(async (records) => void found.push(...records.map((record) => Buffer.from(record).toString())))
  return found
}

test('processes on one folder keep apart, and who comes later takes over what was left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-spools-'))
  const spools = createSpools({
    folder,
    platformKeys: { derive: () => Buffer.alloc(32, 3) },
    random: createRandom(() => 1_760_000_000_000),
  })
  const limits = { maxBytes: 1_000_000 }
  const first = await spools.open('calls', limits)
  const second = await spools.open('calls', limits)
  await first.append([Buffer.from('of the first')])
  await second.append([Buffer.from('of the second')])
  await second.close()
  expect(await texts(first)).toEqual(['of the first'])
  const third = await spools.open('calls', limits)
  expect(await texts(third)).toEqual(['of the second'])
  await third.append([Buffer.from('of the third')])
  await Promise.all([first.close(), third.close()])
  const alone = await spools.open('calls', limits)
  expect(await texts(alone)).toEqual(['of the third'])
  await alone.close()
  await rm(folder, { recursive: true, force: true })
})
