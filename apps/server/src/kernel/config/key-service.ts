/** Settings of the key service that keeps the key-encryption key: a vault's engine or a cloud's. */
import { baseUrl, matching, matchingOrNone, optional, type Setting } from './forms.ts'

const path = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/

export const kekVaultSettings = {
  kekVaultUrl: {
    env: 'PARAPET_KEK_VAULT_URL',
    doc: 'HashiCorp Vault or OpenBao whose Transit engine keeps the key-encryption key locked. A private address has to be allowed above.',
    read: baseUrl(),
  },
  kekVaultTokenFile: {
    env: 'PARAPET_KEK_VAULT_TOKEN_FILE',
    doc: 'File with the token for it, read at each use, so that an agent may renew it.',
    read: optional,
  },
  kekVaultMount: {
    env: 'PARAPET_KEK_VAULT_MOUNT',
    doc: 'Where the engine is mounted.',
    read: matching('transit', path, 'letters, digits, _ and - with slashes between them'),
  },
  kekVaultKey: {
    env: 'PARAPET_KEK_VAULT_KEY',
    doc: "Name of the engine's key, of the type aes256-gcm96.",
    read: matching('parapet', /^[A-Za-z0-9_.-]{1,128}$/, 'letters, digits, dots, _ and -'),
  },
  kekVaultNamespace: {
    env: 'PARAPET_KEK_VAULT_NAMESPACE',
    doc: 'Namespace of the engine, where the vault has some.',
    read: optional,
  },
} as const satisfies Record<string, Setting<unknown>>

export const kekKmsSettings = {
  kekKmsKey: {
    env: 'PARAPET_KEK_KMS_KEY',
    doc: 'Id, ARN or alias of the symmetric key of AWS KMS that keeps the key-encryption key locked.',
    read: matchingOrNone(/^[A-Za-z0-9:/_-]{1,2048}$/, 'an id, an ARN or alias/<name>'),
  },
  kekKmsRegion: {
    env: 'PARAPET_KEK_KMS_REGION',
    doc: 'Region of that key; default the one in its ARN.',
    read: matchingOrNone(/^[a-z0-9-]{1,40}$/, 'letters, digits and -'),
  },
  kekKmsUrl: {
    env: 'PARAPET_KEK_KMS_URL',
    doc: 'Address of the service; default https://kms.<region>.amazonaws.com. A private address has to be allowed above.',
    read: baseUrl(),
  },
  kekKmsCredentialFile: {
    env: 'PARAPET_KEK_KMS_CREDENTIAL_FILE',
    doc: 'File with the credential for it, id:secret or id:secret:session token, read at each use, so that an agent may renew it.',
    read: optional,
  },
  kekKmsRole: {
    env: 'PARAPET_KEK_KMS_ROLE',
    doc: 'ARN of a role that may use it, in place of that file: the token service lends a credential for the identity token below.',
    read: matchingOrNone(/^arn:[a-z-]+:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/, 'the ARN of a role'),
  },
  kekKmsTokenFile: {
    env: 'PARAPET_KEK_KMS_TOKEN_FILE',
    doc: 'File with the identity token of this workload, read when a credential ends; its issuer renews it.',
    read: optional,
  },
  kekKmsTokenUrl: {
    env: 'PARAPET_KEK_KMS_TOKEN_URL',
    doc: 'Address of the token service; default https://sts.<region>.amazonaws.com. A private address has to be allowed above.',
    read: baseUrl(),
  },
} as const satisfies Record<string, Setting<unknown>>

export const kekGoogleSettings = {
  kekGoogleKey: {
    env: 'PARAPET_KEK_GOOGLE_KEY',
    doc: 'Resource name of the symmetric key of Google Cloud KMS that keeps the key-encryption key locked, projects/…/locations/…/keyRings/…/cryptoKeys/….',
    read: matchingOrNone(
      /^projects\/[a-z0-9.:-]{1,100}\/locations\/[a-z0-9-]{1,63}\/keyRings\/[\w-]{1,63}\/cryptoKeys\/[\w-]{1,63}$/,
      'projects/…/locations/…/keyRings/…/cryptoKeys/…, without a version',
    ),
  },
  kekGoogleCredentialFile: {
    env: 'PARAPET_KEK_GOOGLE_CREDENTIAL_FILE',
    doc: 'File of a service account with its key, or of an external account (workload identity federation) whose token is in a file, read whenever a token is needed; without one the metadata server of the machine lends tokens (GCE, GKE, Cloud Run).',
    read: optional,
  },
  kekGoogleUrl: {
    env: 'PARAPET_KEK_GOOGLE_URL',
    doc: 'Address of the service; default https://cloudkms.googleapis.com. A private address has to be allowed above.',
    read: baseUrl(),
  },
} as const satisfies Record<string, Setting<unknown>>

const keyIdentifier = /^https?:\/\/[^/?#]+\/keys\/[0-9A-Za-z-]{1,127}$/
const directoryId = /^[0-9A-Za-z.-]{1,253}$/

export const kekAzureSettings = {
  kekAzureKey: {
    env: 'PARAPET_KEK_AZURE_KEY',
    doc: 'Identifier of the key of Azure Key Vault or a Managed HSM that keeps the key-encryption key locked, https://<vault>.vault.azure.net/keys/<name>: RSA, or in a Managed HSM AES of 256 bits too.',
    read: matchingOrNone(keyIdentifier, 'https://<vault>/keys/<name>, without a version'),
  },
  kekAzureTenant: {
    env: 'PARAPET_KEK_AZURE_TENANT',
    doc: 'Directory (tenant) of the application that may use it.',
    read: matchingOrNone(directoryId, 'the id or domain of a directory'),
  },
  kekAzureClient: {
    env: 'PARAPET_KEK_AZURE_CLIENT',
    doc: 'Client id of that application; with neither file below, of the managed identity, where the machine has several.',
    read: matchingOrNone(directoryId, 'a client id'),
  },
  kekAzureSecretFile: {
    env: 'PARAPET_KEK_AZURE_SECRET_FILE',
    doc: 'File with the secret of that application, read whenever a token is needed. With neither this nor the next, the managed identity of the machine is asked for.',
    read: optional,
  },
  kekAzureTokenFile: {
    env: 'PARAPET_KEK_AZURE_TOKEN_FILE',
    doc: 'File with the identity token of this workload, in place of a secret; its issuer renews it.',
    read: optional,
  },
  kekAzureLoginUrl: {
    env: 'PARAPET_KEK_AZURE_LOGIN_URL',
    doc: 'Where tokens are asked for; other clouds have others.',
    read: (value: string | undefined): string => baseUrl()(value) ?? 'https://login.microsoftonline.com',
  },
  kekAzureAudience: {
    env: 'PARAPET_KEK_AZURE_AUDIENCE',
    doc: 'What tokens are asked for; default the domain of the vault, such as https://vault.azure.net.',
    read: baseUrl(['https:']),
  },
} as const satisfies Record<string, Setting<unknown>>
