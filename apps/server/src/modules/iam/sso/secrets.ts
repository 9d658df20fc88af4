import type { TenantId } from '../../../kernel/access/actor.ts'
import type { FieldAddress } from '../../../kernel/crypto/envelope.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

type Column = 'client_secret' | 'sp_key' | 'sealed'

/** The row a secret stands in; anywhere else its ciphertext is worth nothing. */
export interface SecretPlace {
  readonly tenantId: TenantId
  readonly rowId: string
  readonly column: Column
}

type Keys = Pick<Kernel, 'tenantKeys'>

function addressOf({ rowId, column }: SecretPlace): FieldAddress {
  return { table: column === 'sealed' ? 'iam_sso_flow' : 'iam_sso_connection', column, rowId }
}

/** Encrypts under the tenant's key. Not to be called inside a transaction: the key may have to be read. */
export function seal({ tenantKeys }: Keys, place: SecretPlace, secret: string): Promise<Uint8Array> {
  return tenantKeys.encrypt(place.tenantId, addressOf(place), new TextEncoder().encode(secret))
}

/** @throws Error when the ciphertext was changed or moved */
export async function unseal({ tenantKeys }: Keys, place: SecretPlace, sealed: Uint8Array): Promise<string> {
  return new TextDecoder().decode(await tenantKeys.decrypt(place.tenantId, addressOf(place), sealed))
}
