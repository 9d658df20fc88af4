import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Environment, loadConfig } from '../../config/load.ts'
import { closeAll, egressWith, httpServer } from '../../egress/testing/upstream.ts'
import { createKms, type KmsPlace } from './kms.ts'
import { credentialsInFile } from './kms-credentials.ts'
import { type KekSources, kekFromText, loadKek } from './load.ts'
import { openKeys } from './open.ts'
import { kmsCredential, kmsKey, type TestKms, testKms } from './testing/kms.ts'

let kms: TestKms
let folder: string
let place: KmsPlace
let credentialFile = ''
const waited: number[] = []
const noPause = async (ms: number): Promise<void> => void waited.push(ms)
const clock = { now: () => Date.parse('2026-03-01T12:00:00Z'), monotonic: () => performance.now() }

beforeEach(async () => {
  kms = await testKms()
  folder = await mkdtemp(join(tmpdir(), 'parapet-kms-'))
  waited.splice(0)
  credentialFile = join(folder, 'credential')
  await writeFile(credentialFile, `${kmsCredential.id}:${kmsCredential.secret}\n`)
  place = { url: `${kms.url}/`, region: 'eu-central-1', key: kmsKey, credentials: credentialsInFile(credentialFile) }
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

const file = () => join(folder, 'keys', 'kek')
const service = (over: Partial<KmsPlace> = {}) => createKms({ egress: egressWith(), clock }, { ...place, ...over })
const load = (over: Partial<KekSources> = {}) =>
  loadKek({ environment: null, file: file(), service: service(), ...over }, noPause)
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex')

describe('C65 a key that a KMS keeps locked', () => {
  test('is made once, lies locked beside the data, and comes back at every start', async () => {
    const [first, ...others] = await Promise.all([load(), load(), load()])
    for (const { kek } of [...others, await load()]) expect(hex(kek)).toBe(hex(first.kek))
    expect(await readdir(join(folder, 'keys'))).toEqual(['kek.locked'])
    const text = await readFile(`${file()}.locked`, 'utf8')
    expect(text).toMatch(/^kms:[A-Za-z0-9+/=]+\n$/)
    expect(text).not.toContain(Buffer.from(first.kek).toString('base64'))
    expect([first.provider.name, await first.provider.state(first.kek)]).toEqual(['kms', 'kept'])
  })

  test('may stand in the environment, locked for this purpose and no other', async () => {
    const key = randomBytes(32)
    const { kek, provider } = await load({ environment: kms.lock(key) })
    expect(hex(kek)).toBe(hex(key))
    expect([provider.name, provider.relock, await provider.state(kek)]).toEqual(['kms', null, 'kept'])
    expect(hex(await kekFromText(kms.lock(key), service()))).toBe(hex(key))
    await expect(load({ environment: kms.lock(key, 'something else') })).rejects.toThrow('InvalidCiphertextException')
  })

  test('is locked under the newest material when it is asked for, and stays the same', async () => {
    const { kek, provider } = await load()
    const before = await readFile(`${file()}.locked`, 'utf8')
    kms.rotate()
    await provider.relock?.(kek)
    const after = await readFile(`${file()}.locked`, 'utf8')
    // The first byte of the test service's ciphertexts is the number of the key material.
    expect([before, after].map((text) => Buffer.from(text.slice(4), 'base64')[0])).toEqual([1, 2])
    expect(hex((await load()).kek)).toBe(hex(kek))
    kms.fail({ status: 500, type: 'KMSInternalException' })
    await expect(provider.relock?.(kek)).rejects.toThrow('answers 500 (KMSInternalException) to ReEncrypt')
    expect(await provider.state(kek)).toBe('unreachable')
    kms.fail({ status: 400, type: 'DisabledException' })
    expect(await provider.state(kek)).toBe('refused')
    kms.fail(null)
    await expect(provider.relock?.(randomBytes(32))).rejects.toThrow('another key')
  })
})

describe('C65 a start whose KMS', () => {
  test.each([
    [500, 'KMSInternalException'],
    [503, 'DependencyTimeoutException'],
    [400, 'ThrottlingException'],
  ])('answers %i %s is tried three times more', async (status, type) => {
    kms.fail({ status, type })
    await expect(load()).rejects.toThrow(`cannot be had: the kms answers ${status} (${type}) to GenerateDataKey`)
    expect([waited, kms.calls.length]).toEqual([[1_000, 2_000, 4_000], 4])
    expect(await readdir(folder)).toEqual(['credential'])
  })

  test.each([
    ['does not know the credential', () => 'AKIDEXAMPLEKMS:another/secret', 'InvalidSignatureException'],
    ['finds half a credential', () => 'AKIDEXAMPLEKMS', 'holds no id:secret'],
    ['finds an empty file', () => '\n', 'holds no id:secret'],
  ])('%s ends at once, and tells nothing of it', async (_, credential, why) => {
    await writeFile(credentialFile, credential())
    const error = await load().catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(why)
    expect(String(error)).not.toContain('another/secret')
    expect(waited).toEqual([])
  })

  test('has no such key, is of another region, or is no KMS is refused', async () => {
    await expect(load({ service: service({ key: 'alias/other' }) })).rejects.toThrow('NotFoundException')
    await expect(load({ service: service({ region: 'us-east-1' }) })).rejects.toThrow('InvalidSignatureException')
    await expect(load({ service: service({ credentials: credentialsInFile(join(folder, 'none')) }) })).rejects.toThrow(
      'be read',
    )
    expect(waited).toEqual([])
    const port = await httpServer((_request, response) => void response.end('<html>'))
    await expect(load({ service: service({ url: `http://127.0.0.1:${port}/` }) })).rejects.toThrow('form')
    await expect(load({ environment: kms.lock(randomBytes(16)) })).rejects.toThrow('16 bytes')
  })
})

describe('the settings of a start', () => {
  const opened = async (more: Environment) =>
    openKeys(
      loadConfig({
        PARAPET_DATA_DIR: folder,
        PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
        PARAPET_KEK_KMS_KEY: kmsKey,
        PARAPET_KEK_KMS_URL: kms.url,
        PARAPET_KEK_KMS_CREDENTIAL_FILE: credentialFile,
        ...more,
      }),
      { monotonic: clock.monotonic, now: Date.now },
    )

  test('name the key, whose ARN names the region', async () => {
    const { kek, provider, nextKek, close } = await opened({
      PARAPET_NEXT_KEY_ENCRYPTION_KEY: kms.lock(randomBytes(32)),
    })
    expect([kek.length, provider.name, nextKek?.length]).toEqual([32, 'kms', 32])
    await close()
  })

  test('that are half or double are refused in words', async () => {
    await expect(opened({ PARAPET_KEK_KMS_CREDENTIAL_FILE: '' })).rejects.toThrow('PARAPET_KEK_KMS_CREDENTIAL_FILE')
    const role = { PARAPET_KEK_KMS_ROLE: 'arn:aws:iam::111122223333:role/parapet' }
    await expect(opened(role)).rejects.toThrow('belong together')
    const token = { PARAPET_KEK_KMS_TOKEN_FILE: credentialFile }
    await expect(opened(token)).rejects.toThrow('belong together')
    await expect(opened({ ...role, ...token })).rejects.toThrow('or PARAPET_KEK_KMS_ROLE')
    await expect(opened({ PARAPET_KEK_KMS_ROLE: 'parapet' })).rejects.toThrow('the ARN of a role')
    await expect(opened({ PARAPET_KEK_KMS_KEY: 'alias/parapet' })).rejects.toThrow('PARAPET_KEK_KMS_REGION')
    const vault = { PARAPET_KEK_VAULT_URL: kms.url, PARAPET_KEK_VAULT_TOKEN_FILE: credentialFile }
    await expect(opened(vault)).rejects.toThrow('not with several: vault, kms')
    await expect(opened({ PARAPET_KEK_KMS_KEY: 'no key at all' })).rejects.toThrow('PARAPET_KEK_KMS_KEY: must be')
    expect(kms.calls).toEqual([])
  })
})
