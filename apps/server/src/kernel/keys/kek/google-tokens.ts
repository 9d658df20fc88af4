/**
 * Access tokens for Google Cloud KMS: bought with the key of a service account, exchanged for the identity token of a
 * workload elsewhere (workload identity federation), or lent by the metadata server of the machine (GCE, GKE, Cloud Run).
 * Files are read at each loan, so that they may be renewed. Tested in google-tokens.test.ts.
 */
import { metadataOrigin } from '../../egress/metadata-egress.ts'
import { accountIn, type ServiceAccount, tokenRequest } from '../../google/service-account.ts'
import { readCredential, type Service } from './ask.ts'
import { externalAccountIn, federatedToken } from './google-federation.ts'
import { createLender, type Lender, type Lent } from './lent.ts'
import { KeyServiceError } from './service.ts'
import { borrowToken, oauthCode, type TokenParts } from './tokens.ts'

const scope = 'https://www.googleapis.com/auth/cloudkms'

/** By this file, or without one by the machine. */
export function googleTokens(parts: TokenParts, file: string | null): Lender<string> {
  return createLender(parts.clock, () => (file === null ? ofMachine(parts) : byFile(parts, file)))
}

async function byFile(parts: TokenParts, path: string): Promise<Lent<string>> {
  const text = await readCredential(path, 'the file with the credential of the google-kms')
  const account = accountIn(text)
  if (account !== null) return byKey(parts, account)
  const external = externalAccountIn(text)
  if (external !== null) return federatedToken(parts, external)
  throw new KeyServiceError(
    'the file with the credential of the google-kms holds no service account with a private key, and no external account whose token is in a file',
    { final: true },
  )
}

const tokenService: Service = { name: 'token service of the google-kms', codeOf: oauthCode }

async function byKey(parts: TokenParts, account: ServiceAccount): Promise<Lent<string>> {
  const question = await tokenRequest(account, { scope, now: parts.clock.now() })
  if (question !== null) return borrowToken(parts, { service: tokenService, question, by: 'egress' })
  throw new KeyServiceError('the private key of the service account cannot be read', { final: true })
}

const metadataServer: Service = { name: 'metadata server of Google' }

function ofMachine(parts: TokenParts): Promise<Lent<string>> {
  const url = `${metadataOrigin}/computeMetadata/v1/instance/service-accounts/default/token`
  // Without the header nothing is lent: a page that makes others fetch an address cannot set it.
  const question = { url, headers: { 'metadata-flavor': 'Google' } }
  return borrowToken(parts, { service: metadataServer, question, by: 'metadata' })
}
