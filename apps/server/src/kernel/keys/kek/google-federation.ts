/**
 * Workload identity federation: the file that `gcloud iam workload-identity-pools create-cred-config` writes for a workload
 * with an OpenID token in a file (AIP-4117), exchanged at Google's token service (RFC 8693) and, where a service account
 * is named, there for one of that account. Promises to read no address and to run no program that such a file may name as
 * the source of the token. Tested in google-tokens.test.ts.
 */
import Type, { type Static } from 'typebox'
import { fits } from '../../schema/fits.ts'
import { askJson, codeAt, readCredential, readJson, type Service, unknownForm } from './ask.ts'
import type { Lent } from './lent.ts'
import { KeyServiceError } from './service.ts'
import { borrowToken, form, oauthCode, type TokenParts, TokenText } from './tokens.ts'

const Address = Type.String({ pattern: '^https?://', maxLength: 2048 })
const ExternalAccount = Type.Object({
  type: Type.Literal('external_account'),
  audience: Type.String({ minLength: 1, maxLength: 2048 }),
  subject_token_type: Type.String({ pattern: '^urn:ietf:params:oauth:token-type:[a-z0-9_]{1,40}$' }),
  token_url: Address,
  service_account_impersonation_url: Type.Optional(Address),
  credential_source: Type.Object({
    file: Type.String({ minLength: 1, maxLength: 4096 }),
    format: Type.Optional(
      Type.Object({
        type: Type.Union([Type.Literal('text'), Type.Literal('json')]),
        subject_token_field_name: Type.Optional(Type.String({ maxLength: 200 })),
      }),
    ),
  }),
})
export type ExternalAccount = Static<typeof ExternalAccount>

export function externalAccountIn(text: string): ExternalAccount | null {
  const value = readJson(text)
  return fits(ExternalAccount, value) ? value : null
}

/** The exchanged account of a workload has one right: to ask for another account's token. */
const scope = 'https://www.googleapis.com/auth/cloud-platform'

const exchange: Service = { name: 'security token service of Google', codeOf: oauthCode }
const impersonation: Service = { name: 'credentials service of Google', codeOf: codeAt(['error', 'status']) }

const Impersonated = Type.Object({ accessToken: TokenText, expireTime: Type.String({ maxLength: 40 }) })

/** @throws KeyServiceError */
export async function federatedToken(parts: TokenParts, account: ExternalAccount): Promise<Lent<string>> {
  const fields = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: account.audience,
    scope,
    subject_token_type: account.subject_token_type,
    subject_token: await subjectToken(account),
  }
  const own = await borrowToken(parts, { service: exchange, question: form(account.token_url, fields), by: 'egress' })
  const url = account.service_account_impersonation_url
  if (url === undefined) return own
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${own.value}` }
  const question = { url, headers, body: JSON.stringify({ scope: ['https://www.googleapis.com/auth/cloudkms'] }) }
  const said = await askJson(parts.egress, { service: impersonation, question, answer: Impersonated })
  const endsMs = Date.parse(said.expireTime)
  if (!Number.isNaN(endsMs)) return { value: said.accessToken, endsMs }
  throw unknownForm(impersonation)
}

async function subjectToken({ credential_source: { file, format } }: ExternalAccount): Promise<string> {
  const text = await readCredential(file, 'the file with the identity token for the google-kms')
  const found = format?.type === 'json' ? fieldOf(readJson(text), format.subject_token_field_name ?? '') : text
  if (fits(TokenText, found)) return found
  throw new KeyServiceError('the file with the identity token for the google-kms holds none', { final: true })
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null
