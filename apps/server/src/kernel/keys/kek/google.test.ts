import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Environment, loadConfig } from '../../config/load.ts'
import { closeAll, egressWith, httpServer } from '../../egress/testing/upstream.ts'
import { createGoogleKms, type GoogleKmsPlace } from './google.ts'
import { googleTokens } from './google-tokens.ts'
import { type KekSources, loadKek } from './load.ts'
import { openKeys } from './open.ts'
import { type GoogleDamage, googleKey, type TestGoogle, testGoogle } from './testing/google.ts'

let google: TestGoogle
let folder = ''
let place: GoogleKmsPlace
const waited: number[] = []
const noPause = async (ms: number): Promise<void> => void waited.push(ms)

beforeEach(async () => {
  google = await testGoogle()
  folder = await mkdtemp(join(tmpdir(), 'parapet-google-'))
  waited.splice(0)
  const token = googleTokens({ egress: egressWith(), metadata: google.metadata, clock: { now: Date.now } }, null)
  place = { url: google.url, key: googleKey, token }
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

const file = () => join(folder, 'keys', 'kek')
const service = (over: Partial<GoogleKmsPlace> = {}) => createGoogleKms(egressWith(), { ...place, ...over })
const load = (over: Partial<KekSources> = {}) =>
  loadKek({ environment: null, file: file(), service: service(), ...over }, noPause)
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex')
const asked = (act: string) => google.calls.filter((call) => call === act).length

describe('C65 a key that Google Cloud KMS keeps locked', () => {
  test('is made once, lies locked beside the data, and comes back at every start', async () => {
    const [first, ...others] = await Promise.all([load(), load(), load()])
    for (const { kek } of [...others, await load()]) expect(hex(kek)).toBe(hex(first.kek))
    expect(await readdir(join(folder, 'keys'))).toEqual(['kek.locked'])
    const text = await readFile(`${file()}.locked`, 'utf8')
    expect(text).toMatch(/^google-kms:[A-Za-z0-9+/=]+\n$/)
    expect(text).not.toContain(Buffer.from(first.kek).toString('base64'))
    expect([first.provider.name, await first.provider.state(first.kek)]).toEqual(['google-kms', 'kept'])
    // One token for all of them.
    expect(asked('metadata')).toBe(1)
  })

  test('may stand in the environment, locked for this purpose and no other', async () => {
    const key = randomBytes(32)
    const { kek, provider } = await load({ environment: google.lock(key) })
    expect([hex(kek), provider.relock]).toEqual([hex(key), null])
    await expect(load({ environment: google.lock(key, 'purpose=else') })).rejects.toThrow('400 (INVALID_ARGUMENT)')
    expect(waited).toEqual([])
  })

  test('opens under the version that locked it, and is locked under the newest when that is asked for', async () => {
    const { kek, provider } = await load()
    const version = async () => Buffer.from((await readFile(`${file()}.locked`, 'utf8')).slice(11), 'base64')[0]
    google.rotate()
    expect([hex((await load()).kek), await version()]).toEqual([hex(kek), 1])
    await provider.relock?.(kek)
    expect([hex((await load()).kek), await version()]).toEqual([hex(kek), 2])
    google.disable(1)
    expect(await provider.state(kek)).toBe('kept')
    google.disable(2)
    expect(await provider.state(kek)).toBe('refused')
    await expect(provider.relock?.(kek)).rejects.toThrow('answers 400 (FAILED_PRECONDITION) to decrypt')
    google.disable(2, false)
    google.fail({ status: 503, code: 'UNAVAILABLE' })
    expect(await provider.state(kek)).toBe('unreachable')
    google.fail(null)
    await expect(provider.relock?.(randomBytes(32))).rejects.toThrow('another key')
  })

  test('is asked for with a new token, once, when the one that is held is not taken any more', async () => {
    const { kek, provider } = await load()
    google.endTokens()
    expect(await Promise.all([1, 2, 3].map(() => provider.state(kek)))).toEqual(['kept', 'kept', 'kept'])
    expect(asked('metadata')).toBe(2)
  })
})

describe('C65 a start whose Google Cloud KMS', () => {
  test.each([
    [503, 'UNAVAILABLE'],
    [500, 'INTERNAL'],
    [429, 'RESOURCE_EXHAUSTED'],
  ])('answers %i %s is tried three times more', async (status, code) => {
    google.fail({ status, code })
    await expect(load()).rejects.toThrow(`cannot be had: the google-kms answers ${status} (${code}) to encrypt`)
    expect([waited, asked('encrypt')]).toEqual([[1_000, 2_000, 4_000], 4])
    expect(await readdir(folder)).toEqual([])
  })

  test.each([
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [400, 'FAILED_PRECONDITION'],
  ])('answers %i %s ends at once, and tells nothing but the code', async (status, code) => {
    google.fail({ status, code })
    const error = await load().catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(`answers ${status} (${code}) to encrypt`)
    expect(String(error)).not.toContain('ya29')
    expect([waited, asked('encrypt')]).toEqual([[], 1])
  })

  test('takes no token ends after a second one', async () => {
    const token = { current: async () => 'ya29.of-nobody', drop: () => {} }
    const error = await load({ service: service({ token }) }).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('answers 401 (UNAUTHENTICATED)')
    expect(String(error)).not.toContain('ya29')
    expect([waited, asked('encrypt')]).toEqual([[], 2])
  })

  test.each<[GoogleDamage, string]>([
    ['question', 'answers 400 (INVALID_ARGUMENT) to encrypt'],
    ['answer', 'the answer of the google-kms to encrypt was changed on the way'],
    ['checksum not received', 'form that is not known'],
    ['another key', 'the answer of the google-kms to encrypt was changed on the way'],
  ])('has a changed way (%s) is tried again and keeps nothing of it', async (kind, why) => {
    google.damage(kind)
    await expect(load()).rejects.toThrow(why)
    expect(waited).toEqual([1_000, 2_000, 4_000])
    expect(await readdir(folder)).toEqual([])
  })

  test('gives back another key than was locked, by a changed way, is not believed', async () => {
    await load()
    google.damage('answer')
    await expect(load()).rejects.toThrow('the answer of the google-kms to decrypt was changed on the way')
    google.damage(null)
    await load()
  })

  test('is none, or opens something that is no key, is refused', async () => {
    const port = await httpServer((_request, response) => void response.end('<html>'))
    await expect(load({ service: service({ url: `http://127.0.0.1:${port}` }) })).rejects.toThrow('form')
    await expect(load({ environment: google.lock(randomBytes(16)) })).rejects.toThrow('16 bytes')
  })
})

describe('the settings of a start with Google Cloud KMS', () => {
  const opened = async (more: Environment) => {
    const credential = join(folder, 'account.json')
    await writeFile(credential, google.files.account)
    const config = loadConfig({
      PARAPET_DATA_DIR: folder,
      PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
      PARAPET_KEK_GOOGLE_KEY: googleKey,
      PARAPET_KEK_GOOGLE_URL: google.url,
      PARAPET_KEK_GOOGLE_CREDENTIAL_FILE: credential,
      ...more,
    })
    return openKeys(config, { monotonic: () => performance.now(), now: Date.now })
  }

  test('name the key and the account', async () => {
    const next = { PARAPET_NEXT_KEY_ENCRYPTION_KEY: google.lock(randomBytes(32)) }
    const { kek, provider, nextKek, close } = await opened(next)
    expect([kek.length, provider.name, nextKek?.length]).toEqual([32, 'google-kms', 32])
    expect(asked('token')).toBe(1)
    await close()
  })

  test('that name a version, or another service beside it, are refused in words', async () => {
    const version = { PARAPET_KEK_GOOGLE_KEY: `${googleKey}/cryptoKeyVersions/1` }
    await expect(opened(version)).rejects.toThrow('PARAPET_KEK_GOOGLE_KEY: must be')
    const azure = { PARAPET_KEK_AZURE_KEY: 'https://acme.vault.azure.net/keys/kek' }
    await expect(opened(azure)).rejects.toThrow('not with several: google-kms, azure-key-vault')
    expect(google.calls).toEqual([])
  })
})
