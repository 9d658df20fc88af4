/** Named keys: allowed names, their contents, and how long they are remembered. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../egress/fetch.ts'
import { createLiveSecrets } from '../observe/live-secrets.ts'
import { createNamedSecrets, type SecretPlaces } from './named-secrets.ts'

const [mine, theirs] = ['0197a3b2-0000-7000-8000-000000000001', '0197a3b2-0000-7000-8000-000000000002']
const server = createServer((request, response) => {
  asked.push({ path: request.url, token: request.headers['x-vault-token'] })
  answer(response)
})
const asked: { path: string | undefined; token: unknown }[] = []
let answer: (response: ServerResponse) => void
let folder: string
let now: number
let config: SecretPlaces
const egress = createEgress({ allowedPrivate: ['127.0.0.0/8'], ports: [], now: () => performance.now() })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-secrets-'))
  for (const tenant of [mine, theirs]) await mkdir(join(folder, tenant, 'team'), { recursive: true })
  await writeFile(join(folder, mine, 'openai'), 'sk-file\n')
  await writeFile(join(folder, mine, 'team', 'key'), 'sk-team')
  await writeFile(join(folder, mine, 'empty'), '\n')
  await writeFile(join(folder, mine, 'long'), 'x'.repeat(9000))
  await writeFile(join(folder, theirs, 'openai'), 'sk-theirs')
  await symlink(join(folder, theirs, 'openai'), join(folder, mine, 'stolen'))
  await symlink(join(folder, mine, 'openai'), join(folder, mine, 'linked'))
  await writeFile(join(folder, 'token'), 'hvs.token\n')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  now = 1_000_000
  asked.splice(0)
  answer = fields({ api_key: 'sk-vault' })
  config = {
    gatewaySecretEnv: [`${mine}/OPENAI_KEY`],
    namedVariables: new Map([['OPENAI_KEY', 'sk-env']]),
    gatewaySecretDir: folder,
    gatewayVaultUrl: `http://127.0.0.1:${port}`,
    gatewayVaultTokenFile: join(folder, 'token'),
    gatewayVaultPath: 'secret/data/llm/{tenant}',
    gatewayVaultNamespace: null,
  }
})

const status = (code: number) => (response: ServerResponse) => response.writeHead(code).end('{}')
const fields = (data: object) => (response: ServerResponse) =>
  response.end(JSON.stringify({ data: { data, metadata: { version: 1 } } }))
const reader = () => createNamedSecrets({ liveSecrets: createLiveSecrets(), egress, config, clock: { now: () => now } })
const read = (text: string, tenantId = mine) => reader().read({ tenantId, text })

describe('what a tenant may name', () => {
  test.each([
    'env://PARAPET_KEY_ENCRYPTION_KEY',
    'env://PATH',
    'file://../token',
    'file:///etc/passwd',
    'file://openai/../../token',
    'file://.hidden',
    'vault://../other#value',
    'vault://a%2f..%2fb',
    'vault://a?list=true',
    'https://example.org/key',
    'sk-plain',
  ])('%s is refused', async (text) => {
    expect(reader().problem({ tenantId: mine, text })).not.toBeNull()
    await expect(read(text)).rejects.toThrow()
    expect(asked).toEqual([])
  })

  test('a variable belongs to the tenant it was given to', async () => {
    expect(await read('env://OPENAI_KEY')).toBe('sk-env')
    await expect(read('env://OPENAI_KEY', theirs)).rejects.toThrow('has not allowed this tenant')
    config = { ...config, namedVariables: new Map() }
    await expect(read('env://OPENAI_KEY')).rejects.toThrow('is not set')
  })

  test('nothing where the operator has named no place', async () => {
    config = { ...config, gatewaySecretDir: null, gatewayVaultUrl: null }
    await expect(read('file://openai')).rejects.toThrow('no folder')
    await expect(read('vault://openai')).rejects.toThrow('no vault')
  })
})

describe('a file', () => {
  test('is read in the folder of its tenant', async () => {
    expect([await read('file://openai'), await read('file://team/key')]).toEqual(['sk-file', 'sk-team'])
    expect([await read('file://linked'), await read('file://openai', theirs)]).toEqual(['sk-file', 'sk-theirs'])
  })

  test.each([
    ['file://stolen', 'outside of the folder'],
    ['file://nothing', 'ENOENT'],
    ['file://team', 'EISDIR'],
    ['file://empty', 'is empty'],
    ['file://long', 'longer than a key'],
  ])('%s cannot be read: %s', async (text, why) => {
    await expect(read(text)).rejects.toThrow(why)
  })
})

describe('an entry of a vault', () => {
  test('is asked for in the place of the tenant, with the token of the operator', async () => {
    expect(await read('vault://openai#api_key')).toBe('sk-vault')
    expect(asked).toEqual([{ path: `/v1/secret/data/llm/${mine}/openai`, token: 'hvs.token' }])
    answer = (response) => response.end(JSON.stringify({ data: { value: 'sk-first-version' } }))
    expect(await read('vault://openai')).toBe('sk-first-version')
  })

  test.each([
    [status(403), 'does not let its token'],
    [status(404), 'has no entry openai'],
    [status(307), 'status 307'],
    [status(500), 'status 500'],
    [fields({ other: 'x' }), 'has no text field value'],
    [fields({ value: 7 }), 'has no text field value'],
    [(response: ServerResponse) => response.end('<html>'), 'else than JSON'],
    [(response: ServerResponse) => response.destroy(), 'cannot be reached'],
  ])('that is not there says why', async (reply, why) => {
    answer = reply
    await expect(read('vault://openai')).rejects.toThrow(why)
  })

  test('at an address the operator has not opened is not asked', async () => {
    config = { ...config, gatewayVaultUrl: 'http://10.0.0.1:8200' }
    await expect(read('vault://openai')).rejects.toThrow('cannot be reached (refused: ')
  })
})

describe('what was read', () => {
  const reference = { tenantId: mine, text: 'vault://openai#api_key' }

  test('is read once a minute, by all who need it at once', async () => {
    const { read } = reader()
    await Promise.all([read(reference), read(reference)])
    now += 59_000
    await read(reference)
    expect(asked).toHaveLength(1)
    now += 2_000
    answer = fields({ api_key: 'sk-next' })
    expect([await read(reference), asked.length]).toEqual(['sk-next', 2])
  })

  test('is read anew once it was refused', async () => {
    const secrets = reader()
    await secrets.read(reference)
    secrets.forget(reference)
    await secrets.read(reference)
    expect(asked).toHaveLength(2)
  })

  test('outlives a vault that is away, for a quarter of an hour, and not one that says no', async () => {
    const { read } = reader()
    await read(reference)
    answer = status(500)
    now += 600_000
    expect(await read(reference)).toBe('sk-vault')
    now += 400_000
    await expect(read(reference)).rejects.toThrow('status 500')
    answer = fields({ api_key: 'sk-vault' })
    await read(reference)
    now += 61_000
    answer = status(404)
    await expect(read(reference)).rejects.toThrow('has no entry')
  })
})
