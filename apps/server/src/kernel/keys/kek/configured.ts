/** The key service that the settings of the start name. Tested in vault.test.ts, kms.test.ts, google.test.ts and azure.test.ts. */
import type { Config } from '../../config/load.ts'
import { createAzureKeyVault } from './azure.ts'
import { type AzureIdentity, azureTokens } from './azure-tokens.ts'
import { KeyRefused } from './check.ts'
import { createGoogleKms } from './google.ts'
import { googleTokens } from './google-tokens.ts'
import { createKms } from './kms.ts'
import { type Credentials, credentialsByToken, credentialsInFile } from './kms-credentials.ts'
import type { KeyService } from './service.ts'
import type { TokenParts } from './tokens.ts'
import { createVaultTransit } from './vault.ts'

/** @throws KeyRefused for one that is named by halves, and for two */
export function serviceOf(config: Config, parts: TokenParts): KeyService | null {
  const named = [vaultOf, kmsOf, googleOf, azureOf].flatMap((of) => of(config, parts) ?? [])
  const [service = null, other] = named
  if (other === undefined) return service
  throw new KeyRefused(`is with one key service, and not with several: ${named.map(({ name }) => name).join(', ')}.`)
}

function kmsOf(config: Config, parts: TokenParts): KeyService | null {
  const { kekKmsKey: key } = config
  if (key === null) return null
  const region = config.kekKmsRegion ?? /^arn:[a-z-]+:kms:([a-z0-9-]+):/.exec(key)?.[1]
  if (region === undefined) throw new KeyRefused('is with a KMS: set PARAPET_KEK_KMS_REGION.')
  const url = config.kekKmsUrl ?? `https://kms.${region}.amazonaws.com`
  return createKms(parts, { url: `${url}/`, region, key, credentials: credentialsOf(config, parts, region) })
}

/** @throws KeyRefused for none, for two and for half a one */
function credentialsOf(config: Config, parts: TokenParts, region: string): Credentials {
  const { kekKmsCredentialFile: file, kekKmsRole: roleArn, kekKmsTokenFile: tokenFile } = config
  if ((roleArn === null) !== (tokenFile === null))
    throw new KeyRefused('is with a KMS: PARAPET_KEK_KMS_ROLE and PARAPET_KEK_KMS_TOKEN_FILE belong together.')
  if ((file === null) === (roleArn === null || tokenFile === null))
    throw new KeyRefused(
      'is with a KMS: set PARAPET_KEK_KMS_CREDENTIAL_FILE, or PARAPET_KEK_KMS_ROLE and PARAPET_KEK_KMS_TOKEN_FILE.',
    )
  if (file !== null) return credentialsInFile(file)
  const url = `${config.kekKmsTokenUrl ?? `https://sts.${region}.amazonaws.com`}/`
  return credentialsByToken(parts, { url, roleArn: roleArn ?? '', tokenFile: tokenFile ?? '' })
}

function vaultOf(config: Config, { egress }: TokenParts): KeyService | null {
  const { kekVaultUrl: url, kekVaultTokenFile: tokenFile, kekVaultMount: mount, kekVaultKey: key } = config
  if (url === null) return null
  if (tokenFile === null) throw new KeyRefused('is with a vault: set PARAPET_KEK_VAULT_TOKEN_FILE.')
  return createVaultTransit(egress, { url, tokenFile, mount, key, namespace: config.kekVaultNamespace })
}

function googleOf(config: Config, parts: TokenParts): KeyService | null {
  const { kekGoogleKey: key, kekGoogleUrl, kekGoogleCredentialFile: file } = config
  if (key === null) return null
  const url = kekGoogleUrl ?? 'https://cloudkms.googleapis.com'
  return createGoogleKms(parts.egress, { url, key, token: googleTokens(parts, file) })
}

function azureOf(config: Config, parts: TokenParts): KeyService | null {
  const { kekAzureKey: key } = config
  if (key === null) return null
  const audience = config.kekAzureAudience ?? audienceOf(key)
  if (audience === null) throw new KeyRefused('is with an Azure Key Vault: set PARAPET_KEK_AZURE_AUDIENCE.')
  return createAzureKeyVault(parts.egress, { key, token: azureTokens(parts, identityOf(config), audience) })
}

/** Its own cloud's alone, so that no token is good anywhere else than where the key is. */
function audienceOf(key: string): string | null {
  const [, domain] = /^[a-z0-9-]+\.((?:vault|managedhsm)\.[a-z.-]+)$/.exec(new URL(key).hostname) ?? []
  return domain === undefined ? null : `https://${domain}`
}

/** @throws KeyRefused for two and for half a one */
function identityOf(config: Config): AzureIdentity {
  const { kekAzureTenant: tenant, kekAzureClient: client, kekAzureLoginUrl } = config
  const { kekAzureSecretFile: secretFile, kekAzureTokenFile: tokenFile } = config
  if (secretFile !== null && tokenFile !== null)
    throw new KeyRefused(
      'is with an Azure Key Vault: set PARAPET_KEK_AZURE_SECRET_FILE or PARAPET_KEK_AZURE_TOKEN_FILE, and not both.',
    )
  if (secretFile === null && tokenFile === null) return { kind: 'managed', client }
  if (tenant === null || client === null)
    throw new KeyRefused('is with an Azure Key Vault: set PARAPET_KEK_AZURE_TENANT and PARAPET_KEK_AZURE_CLIENT.')
  const application = { loginUrl: kekAzureLoginUrl, tenant, client }
  if (secretFile !== null) return { kind: 'secret', ...application, secretFile }
  return { kind: 'federated', ...application, tokenFile: tokenFile ?? '' }
}
