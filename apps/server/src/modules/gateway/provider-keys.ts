import type { TenantId } from '../../kernel/auth/actor.ts'
import { apiErrors } from '../../kernel/http/errors.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { sealSecret } from './provider-secrets.ts'
import type { KeyForm } from './providers/adapter.ts'
import type { ProviderKind } from './providers/provider.ts'
import { adapterOf, addressOf } from './providers/registry.ts'
import type { ProviderRow, ProviderSecretRow, SecretInput } from './schemas/provider.ts'

/** @throws API-001 for an id used twice, a key that is over or one that is none of the kind's */
export function checkSecrets(
  { clock }: Pick<Kernel, 'clock'>,
  kind: ProviderKind,
  secrets: readonly SecretInput[],
): void {
  const repeated = secrets.findIndex(({ id }, index) => secrets.findIndex((other) => other.id === id) !== index)
  if (repeated >= 0) throw wrongSecret(repeated, 'id', 'The id is used twice.')
  const over = secrets.findIndex(({ expires_at: end }) => end !== undefined && Date.parse(end) <= clock.now())
  if (over >= 0) throw wrongSecret(over, 'expires_at', 'This is in the past.')
  for (const [index, { value }] of secrets.entries()) checkKey(kind, value, `/secrets/${index}/value`)
}

/** @throws API-001 for a key that is none of the kind's */
export function checkKey(kind: ProviderKind, value: string, pointer: string): void {
  const problem = formOf(kind).problemOf(value)
  if (problem !== null) throw apiErrors.validation({ what: 'A key is not valid.' }).at([{ detail: problem, pointer }])
}

/** A key travels in a header, where it is one word, unless its kind says otherwise. */
const oneWord: KeyForm = {
  problemOf: (value) => (/^[\x21-\x7e]+$/.test(value) ? null : 'A key is one word.'),
  nameOf: (value) => value,
}

function formOf(kind: ProviderKind): KeyForm {
  const adapter = adapterOf(kind)
  return adapter.over === 'network' ? (adapter.keyForm ?? oneWord) : oneWord
}

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
  return {
    id,
    tenant_id: provider.tenantId,
    provider_id: provider.id,
    name: secret.id,
    ciphertext: await sealSecret(kernel.tenantKeys, provider.tenantId, { id, value: secret.value, address }),
    hint: hintOf(formOf(kind).nameOf(secret.value)),
    weight: secret.weight ?? 1,
    version: 1,
    expires_at: secret.expires_at === undefined ? null : new Date(secret.expires_at).toISOString(),
    valid_until: null,
    created_at: at,
    updated_at: at,
  }
}

/** The end of a key helps to tell keys apart; of a short one it would give too much away. */
function hintOf(value: string): string {
  return value.length >= 16 ? value.slice(-4) : ''
}
