import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDirectory } from './directory-lock.ts'

let folder = ''
let dir = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-lock-'))
  dir = join(folder, 'db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = (holder: unknown): Promise<void> =>
  writeFile(`${dir}.lock`, typeof holder === 'string' ? holder : JSON.stringify(holder))

test('one holder at a time, and the next after the release', async () => {
  const lock = await lockDirectory(dir)
  await expect(lockDirectory(dir)).rejects.toThrow(`in use by process ${process.pid}`)
  await lock.release()
  await (await lockDirectory(dir)).release()
  expect(await readdir(folder)).toEqual([])
})

test('a living process of this machine is respected', async () => {
  const lock = await lockDirectory(dir)
  const mine: unknown = JSON.parse(await readFile(`${dir}.lock`, 'utf8'))
  await lock.release()
  await write(mine)
  await expect(lockDirectory(dir)).rejects.toThrow(/in use/)
})

test('a dead process does not hold it', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  const pid = child.pid ?? 0
  await new Promise((resolve) => child.on('close', resolve))
  await write({ pid, started: null, host: hostname() })
  await (await lockDirectory(dir)).release()
})

// As after the restart of a container, where the new process has the old one's id.
test('another life of the same process id does not hold it', async () => {
  await write({ pid: process.pid, started: '1', host: hostname() })
  await (await lockDirectory(dir)).release()
})

test('another machine holds it as long as it gives signs of life', async () => {
  await write({ pid: 1, started: '1', host: 'elsewhere' })
  await expect(lockDirectory(dir)).rejects.toThrow(/in use by process 1/)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(`${dir}.lock`, longAgo, longAgo)
  await (await lockDirectory(dir)).release()
})

test.each(['', '{', '[]', '{"pid":"x"}'])('a file that says %j counts as a stranger’s', async (text) => {
  await write(text)
  await expect(lockDirectory(dir)).rejects.toThrow(/in use by process unknown/)
})

test('of many that find a dead holder, one gets it', async () => {
  await write({ pid: process.pid, started: '1', host: hostname() })
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(dir)))
  const held = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(held).toHaveLength(1)
  await held[0]?.release()
})
