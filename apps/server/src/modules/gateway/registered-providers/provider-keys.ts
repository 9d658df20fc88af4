import type { TenantId } from '../../../kernel/access/actor.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { KeyForm } from '../providers/adapter.ts'
import { adapterOf, addressOf, keyFormOf } from '../providers/vendors/registry.ts'
import type { ProviderRow } from '../schemas/provider.ts'
import type { ProviderSecretRow, SecretInput } from '../schemas/provider-secret.ts'
import { keyOfTenant, sealSecret } from '../snapshots/provider-secrets.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'
import { isKept } from './provider-pool.ts'

/** @throws API-001 for an id used twice, a key that is over or one that is none of the kind's */
export function checkSecrets(
  kernel: Pick<Kernel, 'clock' | 'namedSecrets'>,
  owner: KeyPlace,
  secrets: readonly SecretInput[],
): void {
  const repeated = secrets.findIndex(({ id }, index) => secrets.findIndex((other) => other.id === id) !== index)
  if (repeated >= 0) throw wrongSecret(repeated, 'id', 'The id is used twice.')
  const over = secrets.findIndex(({ expires_at: end }) => end !== undefined && Date.parse(end) <= kernel.clock.now())
  if (over >= 0) throw wrongSecret(over, 'expires_at', 'This is in the past.')
  for (const [index, secret] of secrets.entries())
    if (owner.mayKeep !== true || !isKept(secret)) checkKey(kernel, owner, { secret, at: `/secrets/${index}` })
}

/** Whose key it is and of which kind. */
export interface KeyPlace {
  readonly kind: ProviderKind
  readonly tenantId: string
  /** Whether a key that is there already may be named without giving it. */
  readonly mayKeep?: boolean
}

interface Key {
  readonly secret: Pick<SecretInput, 'value' | 'ref'>
  /** Pointer of its parent. */
  readonly at: string
}

/**
 * @throws API-001 for a key of the wrong form, a reference that is not allowed, and unless it is exactly one of the two
 */
export function checkKey(
  { namedSecrets }: Pick<Kernel, 'namedSecrets'>,
  { kind, tenantId }: KeyPlace,
  { secret, at }: Key,
): void {
  const { value, ref } = secret
  if ((value === undefined) === (ref === undefined))
    throw wrongKey('A key is either a value or a reference to one.', `${at}/value`)
  const problem =
    ref === undefined ? formOf(kind).problemOf(value ?? '') : namedSecrets.problem({ tenantId, text: ref })
  if (problem !== null) throw wrongKey(problem, `${at}/${ref === undefined ? 'value' : 'ref'}`)
}

function wrongKey(detail: string, pointer: string) {
  return apiErrors.validation({ what: 'A key is not valid.' }).at([{ detail, pointer }])
}

const formOf = (kind: ProviderKind): KeyForm => keyFormOf(adapterOf(kind))

function wrongSecret(index: number, field: string, detail: string) {
  return apiErrors.validation({ what: 'A key is not valid.' }).at([{ detail, pointer: `/secrets/${index}/${field}` }])
}

export interface KeyOwner extends Pick<ProviderRow, 'id' | 'kind' | 'base_url' | 'settings'> {
  readonly tenantId: TenantId
}

/** Rows of new keys. Made before a transaction is open, because the tenant's key may have to be read first. */
export function sealAll(
  kernel: Kernel,
  provider: KeyOwner,
  secrets: readonly SecretInput[],
): Promise<readonly ProviderSecretRow[]> {
  return Promise.all(secrets.map((secret) => sealOne(kernel, provider, secret)))
}

async function sealOne(kernel: Kernel, provider: KeyOwner, secret: SecretInput): Promise<ProviderSecretRow> {
  const at = kernel.clock.iso()
  const id = kernel.random.uuid()
  const { kind, base_url: baseUrl, settings } = provider
  const address = addressOf({ kind, baseUrl, settings })
  // A reference is sealed as a key is, so that it can be moved to another address no more than a key.
  const sealedValue = secret.ref ?? secret.value ?? ''
  if (secret.ref === undefined) {
    const { tenantId } = provider
    kernel.liveSecrets.add(keyOfTenant(tenantId, { provider: provider.id, name: secret.id, value: sealedValue }))
  }
  return {
    id,
    tenant_id: provider.tenantId,
    provider_id: provider.id,
    name: secret.id,
    ciphertext: await sealSecret(kernel.tenantKeys, provider.tenantId, { id, value: sealedValue, address }),
    ref: secret.ref ?? null,
    hint: secret.ref === undefined ? hintOf(formOf(kind).nameOf(sealedValue)) : '',
    weight: secret.weight ?? 1,
    version: 1,
    expires_at: secret.expires_at === undefined ? null : new Date(secret.expires_at).toISOString(),
    valid_until: null,
    last_used_at: null,
    created_at: at,
    updated_at: at,
  }
}

/** The end of a key helps to tell keys apart; of a short one it would give too much away. */
function hintOf(value: string): string {
  return value.length >= 16 ? value.slice(-4) : ''
}
