import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KeyRefused } from './check.ts'
import { kekFromFile } from './file.ts'
import { loadKek } from './load.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kek-'))
})
afterEach(() => rm(folder, { recursive: true }))

const path = () => join(folder, 'keys', 'kek')
const good = randomBytes(32).toString('base64')

async function refusal(content: string | Buffer, mode = 0o600): Promise<string> {
  const file = join(folder, 'given')
  await writeFile(file, content, { mode })
  await chmod(file, mode)
  const error = await kekFromFile(file).catch((thrown: unknown) => thrown)
  if (!(error instanceof KeyRefused)) throw new Error(`was not refused: ${String(error)}`)
  return error.message
}

test('the first start makes a key for the owner alone, the next one reads it', async () => {
  const first = await kekFromFile(path())
  expect(first).toHaveLength(32)
  expect((await stat(path())).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'keys'))).mode & 0o777).toBe(0o700)
  expect(await kekFromFile(path())).toEqual(first)
})

test('starts that race end with one key and leave nothing beside it', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => kekFromFile(path())))
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
  expect(await readdir(join(folder, 'keys'))).toEqual(['kek'])
})

test('processes that race end with one key', async () => {
  const script = join(folder, 'race.mjs')
  // Writes the key's digest, never the key.
  await writeFile(
    script,
    `import { createHash } from 'node:crypto'
     const { kekFromFile } = await import(${JSON.stringify(new URL('./file.ts', import.meta.url).href)})
     process.send(createHash('sha256').update(await kekFromFile(${JSON.stringify(path())})).digest('hex'), () => process.exit(0))`,
  )
  const run = () =>
    new Promise<unknown>((resolve, reject) => {
      const child = fork(script, { execArgv: ['--import', import.meta.resolve('tsx')] })
      child.once('message', resolve)
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
    })
  expect(new Set(await Promise.all([run(), run(), run()])).size).toBe(1)
})

describe('C65 the start refuses', () => {
  test.each([
    ['an empty file', ''],
    ['a short key', randomBytes(31).toString('base64')],
    ['a long key', randomBytes(33).toString('base64')],
    ['zeros', Buffer.alloc(32).toString('base64')],
    ['one byte repeated', Buffer.alloc(32, 0x5a).toString('base64')],
    ['a block repeated', Buffer.alloc(32, randomBytes(8)).toString('base64')],
    ['a sequence', Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')],
    ['a descending sequence', Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index)).toString('base64')],
    ['readable text', Buffer.from('correct horse battery staple 123').toString('base64')],
    ['the digest of a common word', createHash('sha256').update('changeme').digest('base64')],
    [
      'the key of the AES standard',
      Buffer.from('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4', 'hex').toString('base64'),
    ],
    ['raw bytes', randomBytes(32)],
    ['hex', randomBytes(32).toString('hex')],
    ['base64 with rubbish in it', `${good.slice(0, 10)}!${good.slice(10)}`],
    ['a large file', 'A'.repeat(5_000)],
  ])('%s', async (_, content) => {
    await refusal(content)
  })

  test.each([0o604, 0o602, 0o620, 0o644, 0o666])('C84 a file of mode %o', async (mode) => {
    expect(await refusal(good, mode)).toContain('chmod 600')
  })

  test('a file where its folder should be, with the setting that names it', async () => {
    const blocked = join(folder, 'blocked')
    await writeFile(blocked, '')
    await expect(kekFromFile(join(blocked, 'keys', 'kek'))).rejects.toThrow(/PARAPET_DATA_DIR has to name a folder/)
  })

  test('a folder in its place', async () => {
    await expect(kekFromFile(folder)).rejects.toThrow(KeyRefused)
  })
})

test('C62 a refusal never shows the key', async () => {
  const text = randomBytes(31).toString('base64')
  expect(await refusal(text)).not.toContain(text.slice(0, 8))
})

test('a secret mounted for a group to read is taken', async () => {
  const file = join(folder, 'mounted')
  await writeFile(file, good, { mode: 0o440 })
  await chmod(file, 0o440)
  expect(Buffer.from(await kekFromFile(file)).toString('base64')).toBe(good)
})

test('the environment goes before the file and is checked the same way', async () => {
  expect(Buffer.from((await loadKek({ environment: good, file: path(), service: null })).kek).toString('base64')).toBe(
    good,
  )
  await expect(readFile(path())).rejects.toThrow('ENOENT')
  for (const weak of ['', '   ', Buffer.alloc(32).toString('base64')]) {
    await expect(loadKek({ environment: weak, file: path(), service: null })).rejects.toThrow(KeyRefused)
  }
})
