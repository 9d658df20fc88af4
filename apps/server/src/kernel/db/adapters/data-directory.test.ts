import { spawn } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { prepareDataDirectory } from './data-directory.ts'
import { emptyClusterFolder, keptCluster } from './empty-cluster.ts'

// A cluster takes two seconds of both cores to make, and much more on a loaded machine.
vi.setConfig({ testTimeout: 90_000 })

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-dir-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a new folder appears complete, for its owner alone, and is left alone afterwards', async () => {
  const dir = join(folder, 'db')
  await prepareDataDirectory(dir)
  await access(join(dir, 'PG_VERSION'))
  await prepareDataDirectory(dir)
  expect(await readdir(folder)).toEqual(['db'])
  const names = await readdir(dir, { recursive: true })
  const modes = await Promise.all([dir, ...names.map((name) => join(dir, name))].map(modeOf))
  expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))
})

async function modeOf(path: string): Promise<string> {
  const facts = await stat(path)
  return `${facts.isDirectory() ? 'folder' : 'file'} ${(facts.mode & 0o777).toString(8)}`
}

test('where no cluster is kept, or a damaged one, the folder is the same, and nothing is kept', async () => {
  const damaged = join(folder, 'damaged')
  await cp(emptyClusterFolder(), damaged, { recursive: true })
  await rm(join((await keptCluster(damaged)) ?? expect.unreachable(), 'global', 'pg_control'))
  await prepareDataDirectory(join(folder, 'made'), damaged)
  await prepareDataDirectory(join(folder, 'copied'))
  expect(await filesOf('made')).toEqual(await filesOf('copied'))
  expect(await keptCluster(damaged)).toBeNull()
  expect((await readdir(folder)).sort()).toEqual(['copied', 'damaged', 'made'])
})

const filesOf = async (name: string): Promise<readonly string[]> =>
  (await readdir(join(folder, name), { recursive: true })).sort()

/** A first start up to its nth call of a function of `node:fs/promises`. */
async function beginFirstStart(dir: string, call: string, nth: number) {
  const program = fileURLToPath(new URL('./interrupted-start.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, dir, call, String(nth)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const stopped = new Promise((resolve) => child.stdout.once('data', resolve))
  const ending = await Promise.race([stopped, ended])
  expect(String(ending)).toBe('stopped')
  return { child, ended }
}

// With its folders, with half of its files, with all of them.
test.each([
  ['open', 1],
  ['open', 200],
  ['rename', 1],
] as const)(
  'what a first start left that was interrupted before its call of %s number %d is made anew',
  async (call, nth) => {
    const dir = join(folder, 'db')
    const { child, ended } = await beginFirstStart(dir, call, nth)
    child.kill('SIGKILL')
    await ended
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^db\.new-/)])
    await prepareDataDirectory(dir)
    await access(join(dir, 'PG_VERSION'))
    expect(await readdir(folder)).toEqual(['db'])
  },
)

test('what an interrupted first start still writes to is not in the way, and is removed by a later start', async () => {
  const dir = join(folder, 'db')
  const { child, ended } = await beginFirstStart(dir, 'open', 200)
  await prepareDataDirectory(dir)
  await access(join(dir, 'PG_VERSION'))
  child.stdin.end()
  expect(await ended).toBe(1)
  await prepareDataDirectory(dir)
  expect(await readdir(folder)).toEqual(['db'])
})

test('a folder with something else in it is refused and not touched', async () => {
  const dir = join(folder, 'home')
  await mkdir(dir)
  await writeFile(join(dir, 'thesis.txt'), 'years of work')
  await expect(prepareDataDirectory(dir)).rejects.toThrow(/neither empty nor a database/)
  expect(await readdir(dir)).toEqual(['thesis.txt'])
})

test('a folder that cannot be made says why', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(prepareDataDirectory(join(folder, 'file', 'db'))).rejects.toThrow(/ENOTDIR|EEXIST/)
})
