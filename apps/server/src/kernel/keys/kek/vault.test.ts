import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeAll, egressWith, httpServer } from '../../egress/testing/upstream.ts'
import { KeyRefused } from './check.ts'
import { type KekSources, kekFromText, loadKek } from './load.ts'
import { type TestTransit, testTransit, transitToken } from './testing/transit.ts'
import { createVaultTransit, type TransitPlace } from './vault.ts'

let transit: TestTransit
let folder: string
let place: TransitPlace
const waited: number[] = []
const noPause = async (ms: number): Promise<void> => void waited.push(ms)

beforeEach(async () => {
  transit = await testTransit()
  folder = await mkdtemp(join(tmpdir(), 'parapet-transit-'))
  waited.splice(0)
  await writeFile(join(folder, 'token'), `${transitToken}\n`)
  place = { url: transit.url, tokenFile: join(folder, 'token'), mount: 'transit', key: 'parapet', namespace: null }
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

const file = () => join(folder, 'keys', 'kek')
const service = (over: Partial<TransitPlace> = {}, egress = egressWith()) =>
  createVaultTransit(egress, { ...place, ...over })
const load = (over: Partial<KekSources> = {}) =>
  loadKek({ environment: null, file: file(), service: service(), ...over }, noPause)
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex')

describe('C65 a key that a vault keeps locked', () => {
  test('is made once, lies locked beside the data, and comes back at every start', async () => {
    const [first, ...others] = await Promise.all([load(), load(), load()])
    for (const { kek } of [...others, await load()]) expect(hex(kek)).toBe(hex(first.kek))
    expect(await readdir(join(folder, 'keys'))).toEqual(['kek.locked'])
    const path = `${file()}.locked`
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const text = await readFile(path, 'utf8')
    expect(text).toMatch(/^vault:v1:[A-Za-z0-9+/=]+\n$/)
    expect(text).not.toContain(Buffer.from(first.kek).toString('base64'))
    expect([first.provider.name, await first.provider.state(first.kek)]).toEqual(['vault', 'kept'])
  })

  test('may stand in the environment, where nothing is written', async () => {
    const key = randomBytes(32)
    const { kek, provider } = await load({ environment: transit.lock(key) })
    expect(hex(kek)).toBe(hex(key))
    expect([provider.name, provider.relock, await provider.state(kek)]).toEqual(['vault', null, 'kept'])
    expect(hex(await kekFromText(transit.lock(key), service()))).toBe(hex(key))
    expect(await readdir(folder)).toEqual(['token'])
  })

  test('is locked under the newest version when it is asked for, and stays the same', async () => {
    const { kek, provider } = await load()
    transit.rotate()
    await provider.relock?.(kek)
    expect(await readFile(`${file()}.locked`, 'utf8')).toMatch(/^vault:v2:/)
    expect(hex((await load()).kek)).toBe(hex(kek))
    transit.fail(503)
    await expect(provider.relock?.(kek)).rejects.toThrow('answers 503 to rewrap')
    expect(await provider.state(kek)).toBe('unreachable')
    transit.fail(403)
    expect(await provider.state(kek)).toBe('refused')
    transit.fail(null)
    await expect(provider.relock?.(randomBytes(32))).rejects.toThrow('another key')
    expect(await provider.state(randomBytes(32))).toBe('another')
    await rm(`${file()}.locked`)
    expect(await provider.state(kek)).toBe('missing')
  })

  test('is not made beside one that is there in clear', async () => {
    const { kek } = await load({ service: null })
    await expect(load()).rejects.toThrow('PARAPET_NEXT_KEY_ENCRYPTION_KEY')
    expect(hex((await load({ service: null })).kek)).toBe(hex(kek))
    expect(transit.calls).toEqual([])
  })
})

describe('C65 a start whose vault', () => {
  test('is away ends after three more attempts, with words and without a key of its own', async () => {
    transit.fail(503)
    await expect(load()).rejects.toThrow('The key-encryption key cannot be had: the vault answers 503')
    expect([waited, transit.calls.length]).toEqual([[1_000, 2_000, 4_000], 4])
    expect(await readdir(folder)).toEqual(['token'])
  })

  test('is there again in the meantime goes on', async () => {
    transit.fail(503)
    const made = loadKek({ environment: null, file: file(), service: service() }, async () => transit.fail(null))
    expect((await made).kek).toHaveLength(32)
  })

  test.each([
    ['does not know the token', async () => writeFile(place.tokenFile, 'hvs.other'), 'answers 403'],
    ['finds no token', async () => rm(place.tokenFile), 'token of the vault cannot be read'],
    ['finds an empty token', async () => writeFile(place.tokenFile, '\n'), 'holds none'],
  ])('%s ends at once', async (_, spoil, why) => {
    await spoil()
    await expect(load()).rejects.toThrow(why)
    expect(waited).toEqual([])
  })

  test('has no such key, or cannot open what is there, ends at once', async () => {
    await expect(load({ service: service({ key: 'other' }) })).rejects.toThrow('answers 404')
    await load()
    const other = await testTransit()
    await expect(load({ service: service({ url: other.url }) })).rejects.toThrow('answers 400 to decrypt')
    expect(waited).toEqual([])
  })

  test('answers in another form, or opens something that is no key, is refused', async () => {
    const port = await httpServer((_request, response) => void response.end('<html>'))
    await expect(load({ service: service({ url: `http://127.0.0.1:${port}` }) })).rejects.toThrow('form')
    await expect(load({ environment: transit.lock(Buffer.alloc(32)) })).rejects.toThrow(KeyRefused)
    await expect(load({ environment: transit.lock(randomBytes(16)) })).rejects.toThrow('16 bytes')
  })

  test('is named nowhere is not guessed, and one behind the network guard is not asked', async () => {
    await expect(load({ environment: 'vault:v1:AAAA', service: null })).rejects.toThrow('not set here')
    const guarded = egressWith({ allowedPrivate: [] })
    await expect(load({ service: service({}, guarded) })).rejects.toThrow('refused: ')
    expect([transit.calls, waited]).toEqual([[], []])
  })

  test('has its locked key in a file others may read is refused', async () => {
    await load()
    await chmod(`${file()}.locked`, 0o644)
    await expect(load()).rejects.toThrow('chmod 600')
  })
})
