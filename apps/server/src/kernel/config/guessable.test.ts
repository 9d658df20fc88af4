import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileRisks, guessable } from './guessable.ts'
import { loadConfig } from './load.ts'

const named = (environment: Record<string, string>) =>
  guessable(loadConfig(environment)).map(({ what }) => what.split(':')[0])

describe('C84 a secret that is tried first', () => {
  test.each<Record<string, string>>([
    { PARAPET_DATABASE_URL: 'postgres://parapet:parapet@db/parapet' },
    { PARAPET_DATABASE_URL: 'postgres://owner:OWNER@db/parapet' },
    { PARAPET_DATABASE_URL: 'postgres://owner:Password123!@db/parapet' },
    { PARAPET_DATABASE_URL: 'postgres://owner:%70assword@db/parapet' },
    { PARAPET_DATABASE_URL: 'postgres://owner:123456@db/parapet' },
    { PARAPET_VALKEY_URL: 'redis://:changeme@cache' },
    { PARAPET_NATS_URL: 'nats://parapet:secret@bus' },
    { PARAPET_SMTP_URL: 'smtp://mailer:test@relay' },
    { PARAPET_EGRESS_PROXY: 'http://parapet:parapet@proxy:3128' },
    { PARAPET_METRICS_TOKEN: 'fifteen-letters' },
    { PARAPET_METRICS_TOKEN: 'password-2026-01-01' },
  ])('is found in %j and named by its setting', (environment) => {
    expect(named(environment)).toEqual(Object.keys(environment))
  })

  test('is told without its value, all of them at once', () => {
    const found = guessable(
      loadConfig({
        PARAPET_DATABASE_URL: 'postgres://owner:letmein99@db/parapet',
        PARAPET_METRICS_TOKEN: 'sesame',
      }),
    )
    expect(found.map(({ risk }) => risk)).toEqual(['secrets', 'secrets'])
    expect(JSON.stringify(found)).not.toMatch(/letmein|sesame/)
  })

  test.each<Record<string, string>>([
    {},
    { PARAPET_DATABASE_URL: 'postgres://parapet@db/parapet' },
    { PARAPET_DATABASE_URL: 'postgres://parapet:password-of-nobody-else-4711@db/parapet' },
    { PARAPET_DATABASE_URL: 'postgres://parapet:%zz-9d1c7b@db/parapet' },
    { PARAPET_VALKEY_URL: 'rediss://:kW9x2LrT0qYv@cache' },
    { PARAPET_METRICS_TOKEN: 'kW9x2LrT0qYvB5nM' },
  ])('is not found in %j', (environment) => {
    expect(named(environment)).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('C84 a file of secrets', () => {
  let file = ''
  beforeAll(async () => {
    file = join(await mkdtemp(join(tmpdir(), 'parapet-files-')), 'token')
    await writeFile(file, 'token')
  })
  afterAll(() => rm(join(file, '..'), { recursive: true }))
  const settings = [
    'PARAPET_KEK_VAULT_TOKEN_FILE',
    'PARAPET_KEK_KMS_CREDENTIAL_FILE',
    'PARAPET_KEK_GOOGLE_CREDENTIAL_FILE',
    'PARAPET_KEK_AZURE_SECRET_FILE',
    'PARAPET_GATEWAY_VAULT_TOKEN_FILE',
    'PARAPET_EGRESS_PROXY_CREDENTIAL_FILE',
  ]
  const found = async (more: Record<string, string>, names = settings) => {
    const given = Object.fromEntries(names.map((name) => [name, file]))
    return (await fileRisks(loadConfig({ ...given, ...more }))).map(({ what }) => what.split(':')[0])
  }
  const open = { PARAPET_HOST: '0.0.0.0' }

  test.each([0o604, 0o644, 0o602, 0o620, 0o666])('of mode %o is found where others are served', async (mode) => {
    await chmod(file, mode)
    expect(await found(open)).toEqual(settings)
    expect(await found({})).toEqual([])
  })

  test.each([0o400, 0o440, 0o600, 0o640])('of mode %o is not', async (mode) => {
    await chmod(file, mode)
    expect(await found(open)).toEqual([])
  })

  test('that is not there is left to who reads it', async () => {
    expect(await fileRisks(loadConfig({ ...open, PARAPET_KEK_VAULT_TOKEN_FILE: `${file}-nowhere` }))).toEqual([])
  })
})
