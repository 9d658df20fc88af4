import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Environment, loadConfig } from '../../config/load.ts'
import { createKeyWrap } from '../../crypto/wrapping.ts'
import { closeAll, egressWith, httpServer } from '../../egress/testing/upstream.ts'
import { createAzureKeyVault } from './azure.ts'
import { azureTokens } from './azure-tokens.ts'
import { type KekSources, loadKek } from './load.ts'
import { openKeys } from './open.ts'
import { azureAudience, azureClient, azureSecret, azureTenant, type TestAzure, testAzure } from './testing/azure.ts'

let azure: TestAzure
let folder = ''
const waited: number[] = []
const noPause = async (ms: number): Promise<void> => void waited.push(ms)

beforeEach(async () => {
  azure = await testAzure()
  folder = await mkdtemp(join(tmpdir(), 'parapet-azure-'))
  waited.splice(0)
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

const file = () => join(folder, 'keys', 'kek')
const service = (vault: TestAzure = azure, key = vault.key) => {
  const parts = { egress: egressWith(), metadata: vault.metadata, clock: { now: Date.now } }
  return createAzureKeyVault(parts.egress, {
    key,
    token: azureTokens(parts, { kind: 'managed', client: null }, azureAudience),
  })
}
const load = (over: Partial<KekSources> = {}) =>
  loadKek({ environment: null, file: file(), service: service(), ...over }, noPause)
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex')
const asked = (act: string) => azure.calls.filter((call) => call === act).length
const kept = async () => (await readFile(`${file()}.locked`, 'utf8')).trim()

describe.each(['RSA', 'oct-HSM'] as const)('C65 a key that an Azure key of the kind %s keeps locked', (kind) => {
  beforeEach(async () => {
    azure = await testAzure(kind)
  })

  test('is made once, lies locked beside the data, and comes back at every start', async () => {
    const [first, ...others] = await Promise.all([load(), load(), load()])
    for (const { kek } of [...others, await load()]) expect(hex(kek)).toBe(hex(first.kek))
    expect(await readdir(join(folder, 'keys'))).toEqual(['kek.locked'])
    const algorithm = kind === 'RSA' ? 'RSA-OAEP-256' : 'A256KW'
    expect(await kept()).toMatch(new RegExp(`^azure-key-vault:${azure.version()}\\.${algorithm}\\.[\\w-]+\\.[\\w-]+$`))
    expect(await kept()).not.toContain(Buffer.from(first.kek).toString('base64url'))
    expect([first.provider.name, await first.provider.state(first.kek)]).toEqual(['azure-key-vault', 'kept'])
  })

  test('opens under the version that locked it, and is locked under the newest when that is asked for', async () => {
    const { kek, provider } = await load()
    const first = azure.version()
    azure.rotate()
    expect(hex((await load()).kek)).toBe(hex(kek))
    expect(await kept()).toContain(`:${first}.`)
    await provider.relock?.(kek)
    expect(hex((await load()).kek)).toBe(hex(kek))
    expect(await kept()).toContain(`:${azure.version()}.`)
    azure.disable(first)
    expect(await provider.state(kek)).toBe('kept')
    azure.disable(azure.version())
    expect(await provider.state(kek)).toBe('refused')
    await expect(provider.relock?.(kek)).rejects.toThrow('answers 403 (KeyDisabled) to unwrapkey')
    azure.disable(azure.version(), false)
    azure.fail({ status: 503, code: 'ServiceUnavailable' })
    expect(await provider.state(kek)).toBe('unreachable')
    azure.fail(null)
    await expect(provider.relock?.(randomBytes(32))).rejects.toThrow('another key')
  })
})

describe('C65 what an Azure key has locked', () => {
  test('may stand in the environment', async () => {
    const { kek } = await load()
    const { kek: again, provider } = await load({ environment: await kept() })
    expect([hex(again), provider.relock, await provider.state(again)]).toEqual([hex(kek), null, 'kept'])
  })

  test('for something else opens nothing here, whatever it is', async () => {
    await load()
    const [version = '', algorithm = '', wrapped = '', sealed = ''] = (await kept()).split(':')[1]?.split('.') ?? []
    const text = (...parts: string[]) => `azure-key-vault:${parts.join('.')}`
    const refused = 'was not locked for this'
    // Another application's key, wrapped by the same key of the vault.
    const theirs = randomBytes(32)
    await expect(load({ environment: text(version, algorithm, azure.wrap(theirs), sealed) })).rejects.toThrow(refused)
    // A seal that is good, for another purpose and for another version.
    const random = { bytes: (length: number) => randomBytes(length) }
    for (const [kind, id] of [
      ['tenant_data_key', `${version}/${algorithm}`],
      ['key_encryption_key', `${'0'.repeat(32)}/${algorithm}`],
    ] as const) {
      const other = Buffer.from(createKeyWrap(theirs, random).wrap(kind, id, randomBytes(32))).toString('base64url')
      await expect(load({ environment: text(version, algorithm, azure.wrap(theirs), other) })).rejects.toThrow(refused)
    }
    const bent = Buffer.from(sealed, 'base64url')
    bent.writeUInt8((bent.at(-1) ?? 0) ^ 1, bent.length - 1)
    await expect(load({ environment: text(version, algorithm, wrapped, bent.toString('base64url')) })).rejects.toThrow(
      refused,
    )
    azure.rotate()
    const moved = text(azure.version(), algorithm, azure.rewrap(wrapped), sealed)
    await expect(load({ environment: moved })).rejects.toThrow(refused)
    await expect(load({ environment: text(azure.version(), algorithm, wrapped, sealed) })).rejects.toThrow(
      'BadParameter',
    )
    await expect(load({ environment: text('0'.repeat(32), algorithm, wrapped, sealed) })).rejects.toThrow('KeyNotFound')
    await expect(load({ environment: text(version, 'RSA1_5', wrapped, sealed) })).rejects.toThrow('was not locked by')
    expect(waited).toEqual([])
  })

  test('is asked for with a new token, once, when the one that is held is not taken any more', async () => {
    const { kek, provider } = await load()
    azure.endTokens()
    expect(await Promise.all([1, 2, 3].map(() => provider.state(kek)))).toEqual(['kept', 'kept', 'kept'])
    expect(asked('metadata')).toBe(2)
  })
})

describe('C65 a start whose Azure Key Vault', () => {
  test.each([
    [503, 'ServiceUnavailable'],
    [500, 'InternalServerError'],
    [429, 'Throttled'],
  ])('answers %i %s is tried three times more', async (status, code) => {
    azure.fail({ status, code })
    await expect(load()).rejects.toThrow(`cannot be had: the azure-key-vault answers ${status} (${code}) to get`)
    expect([waited, asked('get')]).toEqual([[1_000, 2_000, 4_000], 4])
    expect(await readdir(folder)).toEqual([])
  })

  test('allows nothing, or has the key disabled, ends at once', async () => {
    azure.fail({ status: 403, code: 'Forbidden', inner: 'ForbiddenByRbac' })
    await expect(load()).rejects.toThrow('answers 403 (ForbiddenByRbac) to get')
    azure.fail(null)
    azure.disable(azure.version())
    await expect(load()).rejects.toThrow('answers 403 (KeyDisabled) to wrapkey')
    await expect(load({ service: service(azure, `${azure.url}/keys/other`) })).rejects.toThrow('404 (KeyNotFound)')
    expect([waited, await readdir(folder)]).toEqual([[], []])
  })

  test('has a key that wraps nothing, or answers with another one, is refused', async () => {
    const answers: object[] = []
    const port = await httpServer((_request, response) => void response.end(JSON.stringify(answers.shift() ?? {})))
    const token = { current: async () => 'eyJ0eXAi', drop: () => {} }
    const key = `http://127.0.0.1:${port}/keys/kek`
    const other = createAzureKeyVault(egressWith(), { key, token })
    const bundle = (kty: string) => ({ key: { kid: `${key}/0123`, kty } })
    answers.push(bundle('EC'))
    await expect(load({ service: other })).rejects.toThrow('an RSA key is needed')
    answers.push(bundle('RSA'), { kid: `${key}/4567`, value: 'AAAA' })
    await expect(load({ service: other })).rejects.toThrow('answers to wrapkey with another key')
    await expect(load({ service: other })).rejects.toThrow('form that is not known')
  })
})

describe('the settings of a start with Azure Key Vault', () => {
  const opened = async (more: Environment) => {
    const secret = join(folder, 'secret')
    await writeFile(secret, `${azureSecret}\n`)
    const config = loadConfig({
      PARAPET_DATA_DIR: folder,
      PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
      PARAPET_KEK_AZURE_KEY: azure.key,
      PARAPET_KEK_AZURE_TENANT: azureTenant,
      PARAPET_KEK_AZURE_CLIENT: azureClient,
      PARAPET_KEK_AZURE_SECRET_FILE: secret,
      PARAPET_KEK_AZURE_LOGIN_URL: azure.url,
      PARAPET_KEK_AZURE_AUDIENCE: azureAudience,
      ...more,
    })
    return openKeys(config, { monotonic: () => performance.now(), now: Date.now })
  }

  test('name the key and the application', async () => {
    const { kek, provider, close } = await opened({})
    expect([kek.length, provider.name, asked('login')]).toEqual([32, 'azure-key-vault', 1])
    await close()
  })

  test('that are half or double are refused in words', async () => {
    const none = { PARAPET_KEK_AZURE_SECRET_FILE: '' }
    await expect(opened({ PARAPET_KEK_AZURE_TENANT: '' })).rejects.toThrow('set PARAPET_KEK_AZURE_TENANT and')
    await expect(opened({ PARAPET_KEK_AZURE_CLIENT: '' })).rejects.toThrow('PARAPET_KEK_AZURE_CLIENT')
    await expect(opened({ PARAPET_KEK_AZURE_TOKEN_FILE: '/x' })).rejects.toThrow('and not both')
    await expect(opened({ PARAPET_KEK_AZURE_AUDIENCE: '' })).rejects.toThrow('set PARAPET_KEK_AZURE_AUDIENCE')
    const version = { ...none, PARAPET_KEK_AZURE_KEY: `${azure.key}/${azure.version()}` }
    await expect(opened(version)).rejects.toThrow('PARAPET_KEK_AZURE_KEY: must be')
    expect(azure.calls).toEqual([])
  })
})
