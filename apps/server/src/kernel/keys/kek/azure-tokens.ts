/**
 * Access tokens for Azure Key Vault: for the secret of an application, for the identity token of a workload (as AKS puts
 * it into a file), or for the managed identity of the machine, by its metadata. Files are read at each loan, so that they
 * may be renewed. Tested in azure-tokens.test.ts.
 */
import { metadataOrigin } from '../../egress/metadata-egress.ts'
import { readCredential, type Service } from './ask.ts'
import { createLender, type Lender } from './lent.ts'
import { KeyServiceError } from './service.ts'
import { borrowToken, form, oauthCode, type TokenParts } from './tokens.ts'

/** An application of a directory. */
interface Application {
  readonly loginUrl: string
  readonly tenant: string
  readonly client: string
}

export type AzureIdentity =
  | (Application & { readonly kind: 'secret'; readonly secretFile: string })
  | (Application & { readonly kind: 'federated'; readonly tokenFile: string })
  /** Of the machine; a client names one of several. */
  | { readonly kind: 'managed'; readonly client: string | null }

/** Tokens that are good for this audience alone. */
export function azureTokens(parts: TokenParts, identity: AzureIdentity, audience: string): Lender<string> {
  return createLender(parts.clock, async () => {
    if (identity.kind === 'managed') return borrowToken(parts, ofMachine(identity.client, audience))
    const { loginUrl, tenant, client } = identity
    const fields = { grant_type: 'client_credentials', client_id: client, scope: `${audience}/.default` }
    const question = form(`${loginUrl}/${tenant}/oauth2/v2.0/token`, { ...fields, ...(await proofOf(identity)) })
    return borrowToken(parts, { service: login, question, by: 'egress' })
  })
}

type Proven = Exclude<AzureIdentity, { readonly kind: 'managed' }>

async function proofOf(identity: Proven): Promise<Record<string, string>> {
  if (identity.kind === 'secret')
    return { client_secret: await proofIn(identity.secretFile, 'the file with the secret for the azure-key-vault') }
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await proofIn(identity.tokenFile, 'the file with the identity token for the azure-key-vault'),
  }
}

async function proofIn(path: string, what: string): Promise<string> {
  const text = await readCredential(path, what)
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new KeyServiceError(`${what} holds none`, { final: true })
}

const login: Service = {
  name: 'token service of the azure-key-vault',
  // Of the many reasons for one word, such as a secret that is over, the number tells which.
  codeOf: (text) => {
    const [, number] = /"error_codes"\s*:\s*\[\s*(\d{1,9})\b/.exec(text) ?? []
    return [oauthCode(text), ...(number === undefined ? [] : [`AADSTS${number}`])].join(' ').trim()
  },
  // An identity token that is over (700024) is renewed by its issuer.
  isPassing: ({ code }) => /^temporarily_unavailable\b|\bAADSTS700024$/.test(code),
}

/** Beside 429 and 5xx, statuses to retry by the service's documentation: it is being started or renewed. */
const passing = new Set([404, 410])

const metadataService: Service = {
  name: 'metadata service of Azure',
  codeOf: oauthCode,
  isPassing: ({ status }) => passing.has(status),
}

function ofMachine(client: string | null, resource: string) {
  const named = client === null ? {} : { client_id: client }
  const query = new URLSearchParams({ 'api-version': '2018-02-01', resource, ...named })
  // Without the header nothing is lent: a page that makes others fetch an address cannot set it.
  const question = { url: `${metadataOrigin}/metadata/identity/oauth2/token?${query}`, headers: { metadata: 'true' } }
  return { service: metadataService, question, by: 'metadata' as const }
}
