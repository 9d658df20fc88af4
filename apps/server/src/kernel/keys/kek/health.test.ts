import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRandom } from '../../crypto/random.ts'
import { createKeyWrap } from '../../crypto/wrapping.ts'
import { kekCheck } from './health.ts'
import { loadKek } from './load.ts'

const tenant = '0190c000-0000-7000-8000-000000000001'
const random = createRandom(() => 0)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-kek-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function stage() {
  const file = join(folder, 'kek')
  const { kek, provider } = await loadKek({ environment: null, file, service: null })
  const wrappedUnder = (key: Uint8Array) =>
    createKeyWrap(key, random).wrap('tenant_data_key', `${tenant}/1`, randomBytes(32))
  const stored = { wrapped: wrappedUnder(kek) }
  const rows = async () => [{ tenant_id: tenant, version: 1, wrapped: stored.wrapped }]
  const db = { system: (_what: string, use: (tx: never) => unknown) => use({ query: rows } as never) } as never
  const { run } = kekCheck({ provider, kek, nextKek: null, random, db })
  return { file, stored, wrappedUnder, look: () => run(new AbortController().signal) }
}

test('a key that opens what is stored and stands in its file is well', async () => {
  const { look } = await stage()
  expect(await look()).toEqual({
    status: 'pass',
    observed: { source: 'file', kept: 'kept', keys_opened: 1, being_replaced: false },
  })
})

test('C65 a file that is gone or holds another key fails before the next start does, and none is made', async () => {
  const { file, look } = await stage()
  await rm(file)
  expect(await look()).toMatchObject({ status: 'fail', observed: { kept: 'missing' } })
  expect(await readdir(folder)).toEqual([])
  await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  expect(await look()).toMatchObject({ status: 'fail', observed: { kept: 'another' } })
})

test('a stored key that was wrapped under another one fails', async () => {
  const { stored, wrappedUnder, look } = await stage()
  stored.wrapped = wrappedUnder(randomBytes(32))
  await expect(look()).rejects.toThrow(/another key-encryption key/)
})
