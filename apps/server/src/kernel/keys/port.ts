/** Use of keys by the rest of the program: encrypt fields, index secrets blindly, sign. Key material stays inside. */

import type { TenantId } from '../access/actor.ts'
import type { FieldAddress } from '../crypto/envelope.ts'

export interface TenantKeys {
  /** AES-256-GCM under the tenant's data key; the answer names the key version it used. */
  encrypt(tenantId: TenantId, address: FieldAddress, plaintext: Uint8Array): Promise<Uint8Array>
  /** @throws Error when the ciphertext was changed, moved or belongs to another tenant. */
  decrypt(tenantId: TenantId, address: FieldAddress, ciphertext: Uint8Array): Promise<Uint8Array>
  /** HMAC-SHA-256 under a tenant key: equality search without the value. */
  blindIndex(tenantId: TenantId, purpose: string, value: string): Promise<string>
  /** Makes the tenant's data key inside the transaction that makes the tenant. */
  create(tx: import('../db/port.ts').Tx): Promise<void>
  /** Removes all keys of the transaction's tenant: everything encrypted under them is gone for good. */
  destroy(tx: import('../db/port.ts').Tx): Promise<void>
}

export interface PlatformKeys {
  /** HMAC-SHA-256, base64url, under a key derived from the key-encryption key for this purpose alone. */
  mac(purpose: string, value: string | Uint8Array): string
  /** Raw 32-byte key of a purpose, for libraries that take one. */
  derive(purpose: string): Uint8Array
}

/** A secret input of password hashes, 32 bytes, and its name beside them. */
export interface Pepper {
  readonly id: string
  readonly key: Uint8Array
}

export interface Peppers {
  /** The key for new hashes. In memory, so that it can be asked for inside of a transaction. */
  current(): Pepper
  /** One that hashes were made with; null for an id that was never given out. Not inside of a transaction. */
  find(id: string): Promise<Uint8Array | null>
}

export interface Jwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'EdDSA'
}

/** Each has keys of its own: one never signs for another. `export` signs what leaves the installation as a file. */
export type SigningPurpose = 'token' | 'checkpoint' | 'export'

export interface SigningKeys {
  /** Signs bytes with the active key of a purpose. */
  sign(purpose: SigningPurpose, bytes: Uint8Array): Promise<{ readonly kid: string; readonly signature: Uint8Array }>
  /** False for an unknown key id, a retired key or a wrong signature. Synchronous: keys are in memory. */
  verify(purpose: SigningPurpose, kid: string, bytes: Uint8Array, signature: Uint8Array): boolean
  activeKid(purpose: SigningPurpose): string
  /** Public keys of a purpose, default `token`, the next one included. */
  jwks(purpose?: SigningPurpose): { readonly keys: readonly Jwk[] }
}

/** A column of values encrypted under the tenant's data key, so that they can be encrypted anew. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The column that names the row in the value's address; default `id`. */
  readonly rowId?: string
  /** Where the value says it belongs, when that is not its table and column. */
  readonly address?: { readonly table: string; readonly column: string }
}
