import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../config/load.ts'
import { closeAll, egressWith, httpServer } from '../../egress/testing/upstream.ts'
import { type Credentials, credentialsByToken } from './kms-credentials.ts'
import { openKeys } from './open.ts'
import { kmsCredential, kmsKey, testKms } from './testing/kms.ts'

const roleArn = 'arn:aws:iam::111122223333:role/parapet'
const lent = { id: 'ASIAEXAMPLEOFONE', secret: kmsCredential.secret }
const session = 'FwoGZXIvYXdzEBY+/='
const start = Date.parse('2026-03-01T12:00:00Z')
let now = start
let folder = ''
let tokenFile = ''
/** Requests to the token service. */
const asked: URLSearchParams[] = []
let answer = { status: 200, body: '' }

/** As the documentation of the token service has it. */
const lends = (over: Partial<Record<'id' | 'secret' | 'ends', string>> = {}) => {
  const { id, secret, ends } = { ...lent, ends: '2026-03-01T13:00:00Z', ...over }
  return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <SubjectFromWebIdentityToken>system:serviceaccount:parapet:server</SubjectFromWebIdentityToken>
    <Credentials>
      <SessionToken>${session}</SessionToken>
      <SecretAccessKey>${secret}</SecretAccessKey>
      <Expiration>${ends}</Expiration>
      <AccessKeyId>${id}</AccessKeyId>
    </Credentials>
  </AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`
}
const refuses = (code: string) =>
  `<ErrorResponse><Error><Code>${code}</Code><Message>token-of-the-workload</Message></Error></ErrorResponse>`

let url = ''
beforeEach(async () => {
  now = start
  asked.splice(0)
  answer = { status: 200, body: lends() }
  folder = await mkdtemp(join(tmpdir(), 'parapet-identity-'))
  tokenFile = join(folder, 'token')
  await writeFile(tokenFile, 'token-of-the-workload\n')
  const port = await httpServer(async (request: IncomingMessage, response) => {
    asked.push(new URLSearchParams(await text(request)))
    response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.body)
  })
  url = `http://127.0.0.1:${port}/`
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

const credentials = (over: Partial<{ url: string; tokenFile: string }> = {}): Credentials =>
  credentialsByToken({ egress: egressWith(), clock: { now: () => now } }, { url, roleArn, tokenFile, ...over })

describe('C65 a credential that is lent for an identity token', () => {
  test('is asked for with the token of the workload and kept until shortly before its end', async () => {
    const borrow = credentials()
    const first = await borrow()
    expect(first).toEqual({ accessKeyId: lent.id, secretAccessKey: lent.secret, sessionToken: session })
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: roleArn,
      RoleSessionName: 'parapet',
      WebIdentityToken: 'token-of-the-workload',
    })
    now += 54 * 60_000
    expect(await borrow()).toBe(first)
    expect(asked).toHaveLength(1)
    // The issuer has renewed the token in between.
    await writeFile(tokenFile, 'another-token')
    answer.body = lends({ id: 'ASIAANOTHERONE00', ends: '2026-03-01T14:00:00Z' })
    now += 61_000
    expect((await borrow()).accessKeyId).toBe('ASIAANOTHERONE00')
    expect(asked.map((one) => one.get('WebIdentityToken'))).toEqual(['token-of-the-workload', 'another-token'])
  })

  test.each<[number, string, boolean]>([
    [403, 'AccessDenied', true],
    [400, 'InvalidIdentityToken', true],
    [400, 'ExpiredTokenException', false],
    [400, 'IDPCommunicationError', false],
    [400, 'Throttling', false],
    [503, 'ServiceUnavailable', false],
  ])('that is refused with %i %s is told by its code alone, final: %s', async (status, code, final) => {
    answer = { status, body: refuses(code) }
    const error: unknown = await credentials()().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      name: 'KeyServiceError',
      final,
      message: expect.stringContaining(`${status} (${code})`),
    })
    expect(String(error)).not.toContain('token-of-the-workload')
  })

  test.each<[string, string]>([
    ['no XML', '{}'],
    ['half a pair', lends({ secret: '' })],
    ['no end', lends({ ends: 'soon' })],
    ['an id with markup', lends({ id: '<b>ASIAANOTHERONE</b>' })],
  ])('in an answer with %s is none', async (_, body) => {
    answer = { status: 200, body }
    await expect(credentials()()).rejects.toThrow('form that is not known')
  })

  test('needs its file, and a service that answers', async () => {
    await expect(credentials({ tokenFile: join(folder, 'none') })()).rejects.toThrow('cannot be read')
    await expect(credentials({ url: 'http://127.0.0.1:9/' })()).rejects.toThrow('cannot be reached')
  })

  test('opens the key-encryption key at a start, and no other start does', async () => {
    const kms = await testKms(lent)
    answer.body = lends({ ends: '2199-01-01T00:00:00Z' })
    const opened = (more: Record<string, string> = {}) =>
      openKeys(
        loadConfig({
          PARAPET_DATA_DIR: folder,
          PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
          PARAPET_KEK_KMS_KEY: kmsKey,
          PARAPET_KEK_KMS_URL: kms.url,
          PARAPET_KEK_KMS_ROLE: roleArn,
          PARAPET_KEK_KMS_TOKEN_FILE: tokenFile,
          PARAPET_KEK_KMS_TOKEN_URL: url,
          ...more,
        }),
        { monotonic: () => performance.now(), now: Date.now },
      )
    const first = await opened()
    expect([first.kek.length, first.provider.name, kms.calls[0]]).toEqual([32, 'kms', 'GenerateDataKey'])
    expect(new Set(kms.sessions)).toEqual(new Set([session]))
    await first.close()
    answer = { status: 403, body: refuses('AccessDenied') }
    await expect(opened()).rejects.toThrow('AccessDenied')
  })
})
