import Type from 'typebox'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { TenantKeys } from '../../../kernel/keys/port.ts'
import type { LiveSecret } from '../../../kernel/observe/live-secrets.ts'
import { fits } from '../../../kernel/schema/fits.ts'
import { providerSecrets } from '../schemas/tables.ts'

const Sealed = Type.Object({ origin: Type.String(), value: Type.String() })

const addressOf = (id: string) => ({ table: providerSecrets.name, column: 'ciphertext', rowId: id })

/** Where a key of the provider at this address may be sent. Two addresses of one origin share it. */
export function originOf(address: string | null): string {
  return address === null ? '' : new URL(address).origin
}

/** Encrypts a key together with the origin it was given for, so that a changed address can never be sent an old key. */
export function sealSecret(
  keys: TenantKeys,
  tenantId: TenantId,
  secret: { readonly id: string; readonly value: string; readonly address: string | null },
): Promise<Uint8Array> {
  const text = JSON.stringify({ origin: originOf(secret.address), value: secret.value })
  return keys.encrypt(tenantId, addressOf(secret.id), new TextEncoder().encode(text))
}

/** A key as those that were opened are known. */
export function keyOfTenant(
  tenantId: TenantId,
  { provider, name, value }: { readonly provider: string; readonly name: string; readonly value: string },
): LiveSecret {
  return { owner: tenantId, name: `${name} of provider ${provider} of tenant ${tenantId}`, value }
}

/** @throws Error when the ciphertext was changed or moved, or the provider's address is not the one the key was given for */
export async function openSecret(
  keys: TenantKeys,
  tenantId: TenantId,
  secret: { readonly id: string; readonly ciphertext: Uint8Array; readonly address: string | null },
): Promise<string> {
  const bytes = await keys.decrypt(tenantId, addressOf(secret.id), secret.ciphertext)
  const sealed: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!fits(Sealed, sealed)) throw new Error('The stored key is not readable')
  if (sealed.origin !== originOf(secret.address)) throw new Error('The key was given for another address')
  return sealed.value
}
