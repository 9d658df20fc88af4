/**
 * Credentials for the KMS: a pair of keys in a file, or one that the token service lends in exchange for the identity
 * token of a workload (EKS and other OpenID issuers that a role trusts), so that no lasting secret lies anywhere. Lent
 * credentials are kept until shortly before their end. Tested in kms-credentials.test.ts.
 */

import { type KeyPair, keyPairIn } from '../../aws/signing.ts'
import type { Clock } from '../../base/clock.ts'
import type { Egress } from '../../egress/fetch.ts'
import { ask, readCredential, type Service, unknownForm } from './ask.ts'
import { createLender, type Lent } from './lent.ts'
import { KeyServiceError } from './service.ts'

/** @throws KeyServiceError */
export type Credentials = () => Promise<KeyPair>

/** Read at each use, so that an agent may renew it. */
export function credentialsInFile(path: string): Credentials {
  return async () => {
    const pair = keyPairIn(await readCredential(path, 'the file with the credential of the kms'))
    if (pair !== null) return pair
    throw new KeyServiceError('the file with the credential of the kms holds no id:secret', { final: true })
  }
}

export interface WebIdentity {
  /** Of the token service. */
  readonly url: string
  readonly roleArn: string
  /** File with the token, which its issuer renews. */
  readonly tokenFile: string
}

interface Parts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: Pick<Clock, 'now'>
}

/** The role of a workload, by the token it is given. */
export function credentialsByToken(parts: Parts, identity: WebIdentity): Credentials {
  return createLender(parts.clock, () => borrow(parts, identity)).current
}

async function borrow({ egress }: Parts, { url, roleArn, tokenFile }: WebIdentity): Promise<Lent<KeyPair>> {
  const token = await readCredential(tokenFile, 'the file with the identity token for the kms')
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'parapet',
    WebIdentityToken: token,
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const found = lentIn(await ask(egress, tokenService, { url, headers, body }))
  if (found !== null) return found
  throw unknownForm(tokenService)
}

const forms = {
  accessKeyId: /<AccessKeyId>(\w{16,128})<\/AccessKeyId>/,
  secretAccessKey: /<SecretAccessKey>([\w+/=]{1,200})<\/SecretAccessKey>/,
  sessionToken: /<SessionToken>([\w+/=-]{1,8000})<\/SessionToken>/,
  expiration: /<Expiration>([\dTZ:.+-]{20,40})<\/Expiration>/,
} as const

/** The four values by their names, wherever they stand in the answer: nothing else of it is read. */
function lentIn(text: string): Lent<KeyPair> | null {
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = Object.values(forms).map(
    (form) => form.exec(text)?.[1],
  )
  const endsMs = Date.parse(expiration ?? '')
  if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined) return null
  return Number.isNaN(endsMs) ? null : { value: { accessKeyId, secretAccessKey, sessionToken }, endsMs }
}

/** Errors that its interface declares as retryable; an expired token is renewed by its issuer. */
const passing = new Set(['Throttling', 'ExpiredTokenException', 'IDPCommunicationError'])

const tokenService: Service = {
  name: 'token service of the kms',
  codeOf: (text) => /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? '',
  isPassing: ({ code }) => passing.has(code),
}
