import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeAll, egressWith, httpServer } from '../../egress/testing/upstream.ts'
import { googleTokens } from './google-tokens.ts'
import { type TestGoogle, testGoogle, workloadToken } from './testing/google.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
let now = start
let google: TestGoogle
let folder = ''

beforeEach(async () => {
  now = start
  google = await testGoogle(() => now)
  folder = await mkdtemp(join(tmpdir(), 'parapet-google-tokens-'))
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

const put = async (text: string, name = 'credential.json'): Promise<string> => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
const tokens = (file: string | null, metadata = google.metadata) =>
  googleTokens({ egress: egressWith(), metadata, clock: { now: () => now } }, file)
const failure = (file: string | null, metadata = google.metadata): Promise<unknown> =>
  tokens(file, metadata)
    .current()
    .catch((thrown: unknown) => thrown)

describe('C65 a token for Google Cloud KMS', () => {
  test('is bought with the key of a service account and kept until shortly before its end', async () => {
    const lender = tokens(await put(google.files.account))
    expect(await Promise.all([lender.current(), lender.current()])).toEqual(['ya29.key-1', 'ya29.key-1'])
    now += 54 * 60_000
    expect(await lender.current()).toBe('ya29.key-1')
    now += 61_000
    expect(await lender.current()).toBe('ya29.key-2')
    expect(google.calls).toEqual(['token', 'token'])
  })

  test('is lent by the metadata of the machine, which is asked as nothing else asks', async () => {
    expect(await tokens(null).current()).toBe('ya29.machine-1')
    expect(google.calls).toEqual(['metadata'])
  })

  test('is exchanged for the token of a workload, read anew each time', async () => {
    const file = await put(`${workloadToken}\n`, 'token')
    const lender = tokens(await put(google.files.external(file)))
    expect(await lender.current()).toBe('ya29.federated-1')
    expect(Object.fromEntries(google.exchanged[0] ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/cluster',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      subject_token: workloadToken,
    })
    await put('eyJ.another', 'token')
    now += 3_600_000
    await expect(lender.current()).rejects.toThrow('400 (invalid_grant)')
  })

  test('is of a service account, where the workload stands for one, from a file of JSON too', async () => {
    const file = await put(JSON.stringify({ id_token: workloadToken }), 'token')
    const external = google.files.external(file, {
      service_account_impersonation_url: `${google.url}/v1/projects/-/serviceAccounts/a@b.c:generateAccessToken`,
      credential_source: { file, format: { type: 'json', subject_token_field_name: 'id_token' } },
    })
    expect(await tokens(await put(external)).current()).toBe('ya29.impersonated-2')
    expect(google.calls).toEqual(['sts', 'generateAccessToken'])
  })
})

describe('C65 no token for Google Cloud KMS', () => {
  test('comes for a key that the account does not have, or whose assertion is over', async () => {
    const account = await put(google.files.account.replace('parapet@', 'other@'))
    const refused = { name: 'KeyServiceError', final: true }
    const message = 'the token service of the google-kms answers 400 (invalid_grant)'
    expect(await failure(account)).toMatchObject({ ...refused, message })
    const late = googleTokens(
      { egress: egressWith(), metadata: google.metadata, clock: { now: () => now - 7_200_000 } },
      await put(google.files.account),
    )
    await expect(late.current()).rejects.toThrow(message)
  })

  test.each<[string, (account: string) => string, string]>([
    ['no JSON', () => '-----BEGIN PRIVATE KEY-----', 'holds no service account'],
    ['a key cut short', (text) => text.replace(/(BEGIN PRIVATE KEY-----\\n.{40})[^"]*/, '$1'), 'cannot be read'],
    [
      'a source that is an address',
      () => google.files.external('/x', { credential_source: { url: 'http://169.254.169.254/' } }),
      'whose token is in a file',
    ],
    [
      'a source that is a program',
      () => google.files.external('/x', { credential_source: { executable: { command: '/bin/true' } } }),
      'whose token is in a file',
    ],
    [
      'a source that is not there',
      () => google.files.external(join(folder, 'none')),
      'identity token for the google-kms cannot be read',
    ],
  ])('comes for a file with %s, which is not shown', async (_, made, why) => {
    const error = await failure(await put(made(google.files.account)))
    expect(error).toMatchObject({ name: 'KeyServiceError', final: true, message: expect.stringContaining(why) })
    expect(String(error)).not.toMatch(/MII|BEGIN|gserviceaccount/)
    expect(google.calls).toEqual([])
  })

  test('comes from a file that holds none, or with spaces in it', async () => {
    for (const text of ['', 'two words']) {
      const external = google.files.external(await put(text, 'token'))
      expect(await failure(await put(external))).toMatchObject({ message: expect.stringContaining('holds none') })
    }
  })

  test('comes from what answers in another form, or from no metadata', async () => {
    const port = await httpServer((_request, response) => void response.end('{"access_token":"ya29.x"}'))
    const there = google.files.account.replaceAll(google.url, `http://127.0.0.1:${port}`)
    expect(await failure(await put(there))).toMatchObject({ final: false, message: expect.stringContaining('form') })
    const guarded = egressWith({ allowedPrivate: [] })
    expect(await failure(null, guarded)).toMatchObject({
      final: true,
      message: 'the metadata server of Google cannot be reached (refused: metadata)',
    })
  })
})
