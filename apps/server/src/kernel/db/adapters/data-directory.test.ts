import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { prepareDataDirectory } from './data-directory.ts'
import { workerFile } from './pglite-thread.ts'

// A first start takes two seconds of both cores, and much more on a loaded machine.
vi.setConfig({ testTimeout: 90_000 })

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-dir-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a new folder appears complete, and is left alone afterwards', async () => {
  const dir = join(folder, 'db')
  await prepareDataDirectory(dir)
  await access(join(dir, 'PG_VERSION'))
  await prepareDataDirectory(dir)
  expect(await readdir(folder)).toEqual(['db'])
})

/** A first start up to where its draft is there. */
async function beginFirstStart(dir: string) {
  const child = spawn(process.execPath, [fileURLToPath(workerFile), `${dir}.new-old`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  while (!(await readdir(folder)).includes('db.new-old')) await new Promise(setImmediate)
  return { child, ended }
}

test('what an interrupted first start left is made anew', async () => {
  const dir = join(folder, 'db')
  const { child, ended } = await beginFirstStart(dir)
  child.kill('SIGKILL')
  await ended
  expect(await readdir(folder)).toEqual(['db.new-old'])
  await prepareDataDirectory(dir)
  await access(join(dir, 'PG_VERSION'))
  expect(await readdir(folder)).toEqual(['db'])
})

test('what an interrupted first start still writes to is not in the way, and is removed by a later start', async () => {
  const dir = join(folder, 'db')
  const { child, ended } = await beginFirstStart(dir)
  await prepareDataDirectory(dir)
  await access(join(dir, 'PG_VERSION'))
  child.kill('SIGKILL')
  await ended
  await prepareDataDirectory(dir)
  expect(await readdir(folder)).toEqual(['db'])
})

test('the process that makes a folder ends with the one that asked for it', async () => {
  const { child, ended } = await beginFirstStart(join(folder, 'db'))
  child.stdin?.end()
  expect(await ended).toBe(1)
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
