import type { TenantId } from '../../kernel/auth/actor.ts'
import { apiErrors } from '../../kernel/http/errors.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { sealSecret } from './provider-secrets.ts'
import { addressOf } from './providers/registry.ts'
import type { ProviderRow, ProviderSecretRow, SecretInput } from './schemas/provider.ts'

/** @throws API-001 for an id used twice or a key that is over */
export function checkSecrets({ clock }: Pick<Kernel, 'clock'>, secrets: readonly SecretInput[]): void {
  const repeated = secrets.findIndex(({ id }, index) => secrets.findIndex((other) => other.id === id) !== index)
  if (repeated >= 0) throw wrongSecret(repeated, 'id', 'The id is used twice.')
  const over = secrets.findIndex(({ expires_at: end }) => end !== undefined && Date.parse(end) <= clock.now())
  if (over >= 0) throw wrongSecret(over, 'expires_at', 'This is in the past.')
}

function wrongSecret(index: number, field: string, detail: string) {
  return apiErrors.validation({ what: 'A key is not valid.' }).at([{ detail, pointer: `/secrets/${index}/${field}` }])
}

export interface KeyOwner extends Pick<ProviderRow, 'id' | 'kind' | 'base_url'> {
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
  const address = addressOf({ kind: provider.kind, baseUrl: provider.base_url })
  return {
    id,
    tenant_id: provider.tenantId,
    provider_id: provider.id,
    name: secret.id,
    ciphertext: await sealSecret(kernel.tenantKeys, provider.tenantId, { id, value: secret.value, address }),
    hint: hintOf(secret.value),
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
