/** The key-encryption keys as the settings of the start name them. */
import { join } from 'node:path'
import type { Config } from '../../config/load.ts'
import type { Egress } from '../../egress/fetch.ts'
import { operatorEgress } from '../../egress/operator-egress.ts'
import type { Clock } from '../../kernel.ts'
import { KeyRefused } from './check.ts'
import { createKms } from './kms.ts'
import { type Credentials, credentialsByToken, credentialsInFile } from './kms-credentials.ts'
import { kekFromText, type LoadedKek, loadKek } from './load.ts'
import type { KeyService } from './service.ts'
import { createVaultTransit } from './vault.ts'

export interface OpenedKeys extends LoadedKek {
  /** The one that replaces it, where one is set. */
  readonly nextKek: Uint8Array | null
  close(): Promise<void>
}

/** @throws KeyRefused */
export async function openKeys(config: Config, clock: Pick<Clock, 'monotonic' | 'now'>): Promise<OpenedKeys> {
  const egress = operatorEgress(config, clock)
  try {
    const service = serviceOf(config, { egress, clock })
    const file = join(config.dataDir, 'keys', 'kek')
    const loaded = await loadKek({ environment: config.keyEncryptionKey, file, service })
    const { nextKeyEncryptionKey: next } = config
    const nextKek = next === null ? null : await kekFromText(next, service)
    return { ...loaded, nextKek, close: () => egress.close() }
  } catch (error) {
    await egress.close()
    throw error
  }
}

interface Parts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: Pick<Clock, 'now'>
}

/** @throws KeyRefused for one that is named by halves, and for two */
function serviceOf(config: Config, parts: Parts): KeyService | null {
  const [vault, kms] = [vaultOf(config, parts), kmsOf(config, parts)]
  if (vault !== null && kms !== null) throw new KeyRefused('is with a vault or with a KMS, and not with both.')
  return vault ?? kms
}

function kmsOf(config: Config, parts: Parts): KeyService | null {
  const { kekKmsKey: key } = config
  if (key === null) return null
  const region = config.kekKmsRegion ?? /^arn:[a-z-]+:kms:([a-z0-9-]+):/.exec(key)?.[1]
  if (region === undefined) throw new KeyRefused('is with a KMS: set PARAPET_KEK_KMS_REGION.')
  const url = config.kekKmsUrl ?? `https://kms.${region}.amazonaws.com`
  return createKms(parts, { url: `${url}/`, region, key, credentials: credentialsOf(config, parts, region) })
}

/** @throws KeyRefused for none, for two and for half a one */
function credentialsOf(config: Config, parts: Parts, region: string): Credentials {
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

function vaultOf(config: Config, { egress }: Parts): KeyService | null {
  const { kekVaultUrl: url, kekVaultTokenFile: tokenFile, kekVaultMount: mount, kekVaultKey: key } = config
  if (url === null) return null
  if (tokenFile === null) throw new KeyRefused('is with a vault: set PARAPET_KEK_VAULT_TOKEN_FILE.')
  return createVaultTransit(egress, { url, tokenFile, mount, key, namespace: config.kekVaultNamespace })
}
