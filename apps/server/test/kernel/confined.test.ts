import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'
import { signIn } from '../support/http.ts'
import { install, operatorEmail, type ServerProcess } from '../support/server-process.ts'

const { flagsFor, foldersOf } = (await import(pathToFileURL(join(repository, 'scripts/confined/flags.mjs')).href)) as {
  flagsFor(version: string, folders: readonly string[]): readonly string[]
  foldersOf(env: Readonly<Record<string, string>>): readonly string[]
}

let own: string
let second: string
let other: string
beforeAll(async () => {
  own = await mkdtemp(join(tmpdir(), 'parapet-own-'))
  second = await mkdtemp(join(tmpdir(), 'parapet-own-'))
  other = await mkdtemp(join(tmpdir(), 'parapet-other-'))
})
afterAll(async () => {
  for (const folder of [own, second, other]) await rm(folder, { recursive: true, force: true })
})

/** Result of the code in a process with these flags: `done`, or the code of its error. */
async function tried(flags: readonly string[], code: string): Promise<string> {
  const script = `
    const fs = require('node:fs'), child = require('node:child_process')
    try { ${code}; console.log('done') } catch (error) { console.log(error.code) }`
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', script])
  return stdout.trim()
}

const denied = 'ERR_ACCESS_DENIED'

test('C85 a confined server writes in its own folders only, and starts no process', async () => {
  const flags = flagsFor(process.versions.node, [own, second])
  const write = (folder: string) => `fs.writeFileSync(${JSON.stringify(join(folder, 'x'))}, 'x')`
  expect(await tried(flags, write(own))).toBe('done')
  expect(await tried(flags, write(second))).toBe('done')
  expect(await tried(flags, write(other))).toBe(denied)
  expect(await tried(flags, `child.execFileSync(process.execPath, ['--version'])`)).toBe(denied)
  expect(await tried([], `child.execFileSync(process.execPath, ['--version'])`)).toBe('done')
})

test('C85 a confined server makes an embedded database of its own, and finds it again after a kill', async () => {
  const installation = await install()
  try {
    const folders = foldersOf(installation.environment)
    for (const folder of folders) await mkdir(folder, { recursive: true })
    const flags = flagsFor(process.versions.node, folders)
    const signsIn = async (): Promise<ServerProcess> => {
      const server = await installation.start({}, flags)
      expect(await signIn(server.address, operatorEmail)).not.toBe('')
      return server
    }
    await (await signsIn()).signal('SIGKILL')
    expect((await (await signsIn()).signal('SIGTERM')).code).toBe(0)
  } finally {
    await installation.remove()
  }
})

test('a confined server proves a large backup on the disk of its own folder', async () => {
  // In a folder of the repository, so that packages outside the bundle are found.
  const bundled = join(repository, 'dist', 'test', `confined-${process.pid}`)
  const { bundle } = (await import(pathToFileURL(join(repository, 'scripts/build.mjs')).href)) as {
    bundle(entryPoints: Readonly<Record<string, string>>, folder: string): Promise<void>
  }
  try {
    await bundle({ scratch: 'apps/server/test/kernel/confined-scratch.ts' }, bundled)
    const program = [join(bundled, 'scratch.mjs'), join(own, 'scratch')]
    const flags = flagsFor(process.versions.node, [own])
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...program])
    expect(stdout).toBe('1\n')
  } finally {
    await rm(bundled, { recursive: true, force: true })
  }
})

test('the folders are those of the settings, and the flag is the one that this Node has', () => {
  expect(foldersOf({ PARAPET_DATA_DIR: '/a', PARAPET_BACKUP_DIR: '/b', PARAPET_CHECKPOINT_DIR: '' })).toEqual([
    '/a',
    '/b',
  ])
  expect(foldersOf({ PARAPET_DATA_DIR: '/a', PARAPET_BACKUP_DIR: '/a/b', PARAPET_CHECKPOINT_DIR: '/ab' })).toEqual([
    '/a',
    '/ab',
  ])
  const model = (version: string) => flagsFor(version, [])[0]
  expect(['20.19.0', '22.12.0', '23.4.0'].map(model)).toEqual(Array(3).fill('--experimental-permission'))
  expect(['22.13.0', '23.5.0', '24.0.0'].map(model)).toEqual(Array(3).fill('--permission'))
})
