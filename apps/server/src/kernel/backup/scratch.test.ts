import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../crypto/random.ts'
import { lockDirectory } from '../db/adapters/directory-lock.ts'
import { asOwner, script } from '../db/owner.ts'
import type { Driver } from '../db/port.ts'
import { withScratch } from './scratch.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-scratch-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const parts = () => ({ folder, random: createRandom(Date.now), mostInMemory: 10 })
const answers = async (driver: Driver) => (await asOwner(driver, (run) => run(script('select 1 as one'))))[0]?.one

test('a small backup has its database in memory, a large one and one of unknown size in the folder, until it is done', async () => {
  const seen = async (bytes: number | null) =>
    withScratch(parts(), bytes, async (driver) => [await answers(driver), (await readdir(folder)).length > 0])
  expect(await seen(10)).toEqual([1, false])
  expect(await seen(11)).toEqual([1, true])
  expect(await seen(null)).toEqual([1, true])
  expect(await readdir(folder)).toEqual([])
})

test('work that fails leaves nothing behind', async () => {
  await expect(withScratch(parts(), null, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await readdir(folder)).toEqual([])
})

test('what a killed process left goes, and what another one works with stays', async () => {
  for (const name of ['left', 'held']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'PG_VERSION'), '17')
  }
  const lock = await lockDirectory(join(folder, 'held'))
  await withScratch(parts(), null, async () => undefined)
  await lock.release()
  expect(await readdir(folder)).toEqual(['held'])
})
