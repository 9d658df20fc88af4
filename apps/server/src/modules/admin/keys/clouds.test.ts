import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'
import { closeAll } from '../../../kernel/egress/testing/upstream.ts'
import {
  azureAssertion,
  azureAudience,
  azureClient,
  azureTenant,
  testAzure,
} from '../../../kernel/keys/kek/testing/azure.ts'
import { googleKey, testGoogle } from '../../../kernel/keys/kek/testing/google.ts'

let world: World | undefined
const folders: string[] = []

afterEach(async () => {
  await world?.close()
  await closeAll()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

interface Cloud {
  readonly environment: Record<string, string>
  rotate(): void
  fail(isAway: boolean): void
  /** How what is locked under the newest version begins. */
  begins(): string
}

const clouds: Readonly<Record<string, (folder: string) => Promise<Cloud>>> = {
  'google-kms': async (folder) => {
    const google = await testGoogle()
    const file = join(folder, 'account.json')
    await writeFile(file, google.files.account)
    let version = 1
    return {
      environment: {
        PARAPET_KEK_GOOGLE_KEY: googleKey,
        PARAPET_KEK_GOOGLE_URL: google.url,
        PARAPET_KEK_GOOGLE_CREDENTIAL_FILE: file,
      },
      rotate: () => {
        google.rotate()
        version += 1
      },
      fail: (isAway) => google.fail(isAway ? { status: 503, code: 'UNAVAILABLE' } : null),
      // The first byte of the test service's ciphertexts is the version.
      begins: () => `google-kms:${Buffer.from([version, 0, 0]).toString('base64').slice(0, 1)}`,
    }
  },
  'azure-key-vault': async (folder) => {
    const azure = await testAzure()
    const file = join(folder, 'azure-identity-token')
    await writeFile(file, azureAssertion)
    return {
      environment: {
        PARAPET_KEK_AZURE_KEY: azure.key,
        PARAPET_KEK_AZURE_TENANT: azureTenant,
        PARAPET_KEK_AZURE_CLIENT: azureClient,
        PARAPET_KEK_AZURE_TOKEN_FILE: file,
        PARAPET_KEK_AZURE_LOGIN_URL: azure.url,
        PARAPET_KEK_AZURE_AUDIENCE: azureAudience,
      },
      rotate: azure.rotate,
      fail: (isAway) => azure.fail(isAway ? { status: 503, code: 'ServiceUnavailable' } : null),
      begins: () => `azure-key-vault:${azure.version()}.`,
    }
  },
}

test.each(Object.keys(clouds))(
  'C65 a running installation whose key %s keeps says so, and has it locked anew',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'parapet-cloud-'))
    folders.push(folder)
    const cloud = await clouds[name]?.(folder)
    if (cloud === undefined) throw new Error(`there is no ${name}`)
    const opened = await openWorld({ environment: { PARAPET_DATA_DIR: folder, ...cloud.environment } })
    world = opened
    const rotate = () => opened.operator.post('/admin/keys/rotate', { purpose: 'kek' })
    const kept = async () => {
      const query = { checks: 'key_encryption_key', max_age_ms: '0' }
      const { checks } = expectStatus(await opened.operator.get('/admin/health', { query }), 200).body.data
      return checks.key_encryption_key?.observed
    }
    const locked = () => readFile(join(folder, 'keys', 'kek.locked'), 'utf8')

    await expect.poll(kept).toMatchObject({ source: name, kept: 'kept' })
    const before = await locked()
    cloud.rotate()
    expect(expectStatus(await rotate(), 200).body.data).toMatchObject({ purpose: 'kek', rotated: true, rewrapped: 0 })
    expect((await locked()).startsWith(cloud.begins())).toBe(true)
    expect(await locked()).not.toBe(before)

    cloud.fail(true)
    const refused = await rotate()
    expect([refused.status, refused.body?.error_code]).toEqual([502, 'ADM-016'])
    expectStatus(await opened.tenant('during-outage').then(({ admin }) => admin.get('/iam/roles')), 200)
    cloud.fail(false)
    expectStatus(await rotate(), 200)
  },
)
