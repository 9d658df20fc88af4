/**
 * Keys that are named instead of stored: a variable, a file, an entry of a vault. Promises that a tenant reaches only
 * the keys that its operator put in that tenant's own place, that read keys are kept in memory for a minute and nowhere
 * else, and that no error about an unreadable key holds a piece of one. Tested in named-secrets.test.ts.
 */

import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/load.ts'
import type { Egress } from '../egress/fetch.ts'
import type { LiveSecrets } from '../observe/live-secrets.ts'
import { SecretUnreadable } from './unreadable.ts'
import { readVault, type VaultPlace } from './vault.ts'

export type SecretPlaces = Pick<
  Config,
  | 'gatewaySecretEnv'
  | 'namedVariables'
  | 'gatewaySecretDir'
  | 'gatewayVaultUrl'
  | 'gatewayVaultTokenFile'
  | 'gatewayVaultPath'
  | 'gatewayVaultNamespace'
>

export interface SecretReference {
  readonly tenantId: string
  /** `env://NAME`, `file://name`, `vault://path#field`. */
  readonly text: string
}

export interface NamedSecrets {
  /** Why the tenant may not name this, whether or not it exists; null when it may. */
  problem(reference: SecretReference): string | null
  /** @throws SecretUnreadable */
  read(reference: SecretReference): Promise<string>
  /** It was refused, so the next call reads it anew. */
  forget(reference: SecretReference): void
}

export interface ReaderParts {
  readonly egress: Egress
  readonly clock: Pick<Clock, 'now'>
  readonly config: SecretPlaces
  readonly liveSecrets: Pick<LiveSecrets, 'add'>
}

const form =
  /^(?:env:\/\/([A-Za-z_][A-Za-z0-9_]{0,127})|(file|vault):\/\/(\w[\w.-]*(?:\/\w[\w.-]*){0,7})(?:#(\w[\w.-]{0,63}))?)$/

interface Parsed {
  readonly kind: 'env' | 'file' | 'vault'
  readonly name: string
  readonly field: string | null
}

function parse(text: string): Parsed | null {
  const [whole, variable, kind, name = '', field = null] = form.exec(text) ?? []
  if (whole === undefined) return null
  if (variable !== undefined) return { kind: 'env', name: variable, field: null }
  if (kind === 'file') return field === null ? { kind: 'file', name, field } : null
  return { kind: 'vault', name, field }
}

function problemOf(config: SecretPlaces, { tenantId, text }: SecretReference): string | null {
  const parsed = parse(text)
  if (parsed === null) return 'A reference is env://NAME, file://name or vault://path#field.'
  const { kind, name } = parsed
  if (kind === 'env' && !config.gatewaySecretEnv.includes(`${tenantId}/${name}`))
    return `The operator has not allowed this tenant to use the variable ${name} (PARAPET_GATEWAY_SECRET_ENV).`
  if (kind === 'file' && config.gatewaySecretDir === null)
    return 'The operator has named no folder of secrets (PARAPET_GATEWAY_SECRET_DIR).'
  if (kind === 'vault' && (config.gatewayVaultUrl === null || config.gatewayVaultTokenFile === null))
    return 'The operator has named no vault (PARAPET_GATEWAY_VAULT_URL and PARAPET_GATEWAY_VAULT_TOKEN_FILE).'
  return null
}

interface Held {
  readonly value: string
  readonly readAt: number
}

/** A value this old is read again, in milliseconds. */
const freshMs = 60_000
/** A place that cannot be asked takes no key away before this. */
const staleMs = 900_000
const mostHeld = 5_000

/** One serves the whole process; its contents end with it. */
export function createNamedSecrets(parts: ReaderParts): NamedSecrets {
  const held = new Map<string, Held>()
  const reading = new Map<string, Promise<string>>()
  const nameOf = ({ tenantId, text }: SecretReference): string => `${tenantId} ${text}`

  const readAnew = async (name: string, reference: SecretReference): Promise<string> => {
    const known = held.get(name)
    try {
      const value = await readReference(parts, reference)
      const { tenantId, text } = reference
      parts.liveSecrets.add({ owner: tenantId, name: `${text} of tenant ${tenantId}`, value })
      if (held.size >= mostHeld) held.clear()
      held.set(name, { value, readAt: parts.clock.now() })
      return value
    } catch (error) {
      const isGone = error instanceof SecretUnreadable && error.final
      if (!isGone && known !== undefined && parts.clock.now() - known.readAt < staleMs) return known.value
      held.delete(name)
      throw error
    } finally {
      reading.delete(name)
    }
  }

  return {
    problem: (reference) => problemOf(parts.config, reference),
    read: (reference) => {
      const name = nameOf(reference)
      const known = held.get(name)
      if (known !== undefined && parts.clock.now() - known.readAt < freshMs) return Promise.resolve(known.value)
      const running = reading.get(name) ?? readAnew(name, reference)
      reading.set(name, running)
      return running
    },
    forget: (reference) => {
      held.delete(nameOf(reference))
    },
  }
}

async function readReference(parts: ReaderParts, reference: SecretReference): Promise<string> {
  const problem = problemOf(parts.config, reference)
  const parsed = parse(reference.text)
  if (problem !== null || parsed === null) throw new SecretUnreadable(problem ?? 'This is no reference.')
  const value = await valueAt(parts, { ...parsed, tenantId: reference.tenantId })
  const trimmed = value.trim()
  if (trimmed === '') throw new SecretUnreadable('What it names is empty.')
  if (trimmed.length > longestKey) throw new SecretUnreadable('What it names is longer than a key.')
  return trimmed
}

const longestKey = 8192

async function valueAt(
  { config, egress }: ReaderParts,
  { kind, name, field, tenantId }: Parsed & { readonly tenantId: string },
): Promise<string> {
  if (kind === 'env') {
    const value = config.namedVariables.get(name)
    if (value === undefined) throw new SecretUnreadable(`The variable ${name} is not set.`)
    return value
  }
  if (kind === 'file') return readSecretFile(join(config.gatewaySecretDir ?? '', tenantId), name)
  return readVault(egress, vaultOf(config, tenantId), { name, field: field ?? 'value' })
}

function vaultOf(config: SecretPlaces, tenantId: string): VaultPlace {
  return {
    url: config.gatewayVaultUrl ?? '',
    tokenFile: config.gatewayVaultTokenFile ?? '',
    path: config.gatewayVaultPath.replaceAll('{tenant}', tenantId),
    namespace: config.gatewayVaultNamespace,
  }
}

async function readSecretFile(folder: string, name: string): Promise<string> {
  try {
    // Mounted secrets are links within their folder; a link out of it would read another tenant's.
    const [base, path] = await Promise.all([realpath(folder), realpath(join(folder, name))])
    if (!path.startsWith(base + sep)) throw new SecretUnreadable('The file lies outside of the folder of this tenant.')
    const { size } = await stat(path)
    if (size > longestKey) throw new SecretUnreadable('The file is longer than a key.')
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof SecretUnreadable) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new SecretUnreadable(`The file ${name} cannot be read (${code}).`, { final: code === 'ENOENT', cause: error })
  }
}
