import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../config/load.ts'
import type { EgressRequest } from '../../egress/exchange.ts'
import { closeAll, egressWith } from '../../egress/testing/upstream.ts'
import { type AzureIdentity, azureTokens } from './azure-tokens.ts'
import { serviceOf } from './configured.ts'
import {
  azureAssertion,
  azureAudience,
  azureClient,
  azureSecret,
  azureTenant,
  type TestAzure,
  testAzure,
} from './testing/azure.ts'

let now = 0
let azure: TestAzure
let folder = ''

beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:00Z')
  azure = await testAzure()
  folder = await mkdtemp(join(tmpdir(), 'parapet-azure-tokens-'))
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

const put = async (text: string): Promise<string> => {
  await writeFile(join(folder, 'proof'), text)
  return join(folder, 'proof')
}
const application = () => ({ loginUrl: azure.url, tenant: azureTenant, client: azureClient })
const secret = async (text = azureSecret): Promise<AzureIdentity> => ({
  ...{ kind: 'secret' as const, ...application() },
  secretFile: await put(text),
})
const federated = async (text = azureAssertion): Promise<AzureIdentity> => ({
  ...{ kind: 'federated' as const, ...application() },
  tokenFile: await put(text),
})
const tokens = (identity: AzureIdentity, audience = azureAudience) =>
  azureTokens({ egress: egressWith(), metadata: azure.metadata, clock: { now: () => now } }, identity, audience)
const failure = (identity: AzureIdentity, audience = azureAudience): Promise<unknown> =>
  tokens(identity, audience)
    .current()
    .catch((thrown: unknown) => thrown)

describe('C65 a token for Azure Key Vault', () => {
  test('is lent for the secret of an application and kept until shortly before its end', async () => {
    const lender = tokens(await secret())
    expect(await Promise.all([lender.current(), lender.current()])).toEqual(['eyJ0eXAi.1', 'eyJ0eXAi.1'])
    expect(Object.fromEntries(azure.asked[0] ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: azureClient,
      scope: 'https://vault.azure.net/.default',
      client_secret: azureSecret,
    })
    now += 54 * 60_000
    expect(await lender.current()).toBe('eyJ0eXAi.1')
    now += 61_000
    expect(await lender.current()).toBe('eyJ0eXAi.2')
    expect(azure.calls).toEqual(['login', 'login'])
  })

  test('is lent for the identity token of a workload, read anew each time', async () => {
    const lender = tokens(await federated('eyJ.over'))
    await expect(lender.current()).rejects.toThrow('AADSTS700024')
    await put(`${azureAssertion}\n`)
    expect(await lender.current()).toBe('eyJ0eXAi.1')
    expect(azure.asked[1]?.get('client_assertion')).toBe(azureAssertion)
    expect(azure.asked[1]?.has('client_secret')).toBe(false)
  })

  test('is lent to the machine by its metadata, for one of its identities where it is named', async () => {
    expect(await tokens({ kind: 'managed', client: null }).current()).toBe('eyJ0eXAi.1')
    await tokens({ kind: 'managed', client: azureClient }).current()
    expect(azure.asked.map((asked) => asked.get('client_id'))).toEqual([null, azureClient])
    expect(azure.asked[0]?.get('api-version')).toBe('2018-02-01')
  })
})

describe('C65 no token for Azure Key Vault', () => {
  test.each<[string, () => Promise<AzureIdentity>, string, boolean]>([
    ['a secret that is over', () => secret('another'), '401 (invalid_client AADSTS7000222)', true],
    ['an identity token of another issuer', () => federated('eyJ.another'), '401 (invalid_client AADSTS700027)', true],
    ['an identity token that is over', () => federated('eyJ.over'), '401 (invalid_client AADSTS700024)', false],
    [
      'an application of another directory',
      async () => ({ ...(await secret()), tenant: 'other' }) as AzureIdentity,
      '400 (invalid_request AADSTS90002)',
      true,
    ],
  ])('comes for %s, told by its code alone', async (_, identity, code, final) => {
    const error = await failure(await identity())
    const message = `the token service of the azure-key-vault answers ${code}`
    expect(error).toMatchObject({ name: 'KeyServiceError', final, message })
    expect(String(error)).not.toContain(azureSecret)
  })

  test('comes for a file that is not there, or holds none', async () => {
    const gone: AzureIdentity = { kind: 'secret', ...application(), secretFile: join(folder, 'none') }
    expect(await failure(gone)).toMatchObject({ final: true, message: expect.stringContaining('cannot be read') })
    expect(await failure(await secret(''))).toMatchObject({
      final: true,
      message: expect.stringContaining('holds none'),
    })
    expect(azure.calls).toEqual([])
  })

  test.each([
    [404, false],
    [410, false],
    [429, false],
    [500, false],
    [400, true],
  ])('comes from metadata that answers %i, final: %s', async (status, final) => {
    azure.failMetadata(status)
    const message = `the metadata service of Azure answers ${status} (unknown)`
    expect(await failure({ kind: 'managed', client: null })).toMatchObject({ final, message })
  })

  test('comes for another audience than the one of the vault', async () => {
    const other = await failure({ kind: 'managed', client: null }, 'https://management.azure.com')
    expect(other).toMatchObject({ final: true, message: expect.stringContaining('400 (invalid_resource)') })
  })
})

test.each([
  ['https://acme.vault.azure.net/keys/kek', 'https://vault.azure.net'],
  ['https://acme.managedhsm.azure.net/keys/kek', 'https://managedhsm.azure.net'],
  ['https://acme.vault.usgovcloudapi.net/keys/kek', 'https://vault.usgovcloudapi.net'],
  ['https://acme.vault.azure.cn/keys/kek', 'https://vault.azure.cn'],
])('C51 the token for %s is good for %s alone', async (key, audience) => {
  const sent: EgressRequest[] = []
  const fetch = (request: EgressRequest) => {
    sent.push(request)
    return Promise.reject(new Error('away'))
  }
  const config = loadConfig({ PARAPET_KEK_AZURE_KEY: key })
  const service = serviceOf(config, { egress: { fetch }, metadata: { fetch }, clock: { now: () => now } })
  await expect(service?.make()).rejects.toThrow('away')
  expect(sent.map(({ url }) => new URL(url).searchParams.get('resource'))).toEqual([audience])
})
