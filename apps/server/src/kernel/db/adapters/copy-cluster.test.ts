import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyCluster } from './copy-cluster.ts'

let from = ''
let into = ''
beforeEach(async () => {
  from = await mkdtemp(join(tmpdir(), 'parapet-from-'))
  into = await mkdtemp(join(tmpdir(), 'parapet-into-'))
})
afterEach(async () => {
  for (const folder of [from, into]) await rm(folder, { recursive: true, force: true })
})

test('files have their bytes, folders are there with nothing in them too, and who may read them is as asked', async () => {
  await mkdir(join(from, 'base', 'deep', 'empty'), { recursive: true })
  const files = ['one', 'base/none', ...Array.from({ length: 70 }, (_, n) => `base/deep/${n}`)].sort()
  for (const name of files)
    await writeFile(join(from, name), name === 'base/none' ? '' : name.repeat(n), { mode: 0o666 })
  await copyCluster(from, into, 'owner')
  const folders = ['base', 'base/deep', 'base/deep/empty']
  expect((await readdir(into, { recursive: true })).sort()).toEqual([...folders, ...files].sort())
  const texts = await Promise.all(files.map((name) => readFile(join(into, name), 'utf8')))
  expect(texts).toEqual(files.map((name) => (name === 'base/none' ? '' : name.repeat(n))))
  const modes = async (names: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set(await Promise.all(names.map(async (name) => ((await stat(join(into, name))).mode & 0o777).toString(8))))
  expect([await modes(folders), await modes(files)]).toEqual([new Set(['700']), new Set(['600'])])

  const shared = join(into, 'shared')
  await mkdir(shared)
  await copyCluster(from, shared, 'all')
  expect((await stat(join(shared, 'one'))).mode & 0o022).toBe(0)
})

const n = 5_000

test('what is there is not written over', async () => {
  await writeFile(join(from, 'one'), 'theirs')
  await writeFile(join(into, 'one'), 'mine')
  await expect(copyCluster(from, into, 'owner')).rejects.toThrow('EEXIST')
  expect(await readFile(join(into, 'one'), 'utf8')).toBe('mine')
})
