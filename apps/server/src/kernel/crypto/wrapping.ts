/** Keys under the key-encryption key: derived ones by purpose (HKDF, RFC 5869) and stored ones wrapped. */
import { hkdfSync } from 'node:crypto'
import { boundTo, keyVersionOf, open, seal } from './envelope.ts'
import type { Random } from './random.ts'

export interface KeyWrap {
  wrap(kind: string, id: string, key: Uint8Array): Uint8Array
  /** @throws Error that names the cause: another key-encryption key, or a changed row. */
  unwrap(kind: string, id: string, wrapped: Uint8Array): Uint8Array
  /** Whether it is wrapped under the key that wraps now. */
  isCurrent(wrapped: Uint8Array): boolean
  /** Names the key that wraps now without telling anything about it; eight hex digits. */
  readonly mark: string
}

/** A 32-byte key of one purpose; different purposes share nothing. */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, 'parapet', purpose, 32))
}

/** While a next key-encryption key is set, it wraps and both unwrap. */
export function createKeyWrap(kek: Uint8Array, random: Pick<Random, 'bytes'>, next: Uint8Array | null = null): KeyWrap {
  const wrapping = wrappingKey(next ?? kek)
  const keys = new Map([wrappingKey(kek), wrapping].map((key) => [key.mark, key.key]))
  return {
    mark: wrapping.mark.toString(16).padStart(8, '0'),
    isCurrent: (wrapped) => keyVersionOf(wrapped) === wrapping.mark,
    wrap: (kind, id, plaintext) =>
      seal({
        key: wrapping.key,
        keyVersion: wrapping.mark,
        nonce: random.bytes(12),
        context: boundTo('wrap', kind, id),
        plaintext,
      }),
    unwrap: (kind, id, wrapped) => {
      const key = keys.get(keyVersionOf(wrapped))
      if (key === undefined) {
        throw new Error(
          `The ${kind.replaceAll('_', ' ')} ${id} was wrapped under another key-encryption key. Restore the key that belongs to this database: PARAPET_KEY_ENCRYPTION_KEY, or keys/kek in the data folder it was made in. Several servers on one database need the same.`,
        )
      }
      return open(key, boundTo('wrap', kind, id), wrapped)
    },
  }
}

function wrappingKey(kek: Uint8Array): { readonly key: Uint8Array; readonly mark: number } {
  // Four derived bytes tell a wrong key from a damaged row without telling anything about the key.
  return { key: deriveKey(kek, 'wrap'), mark: Buffer.from(deriveKey(kek, 'wrap-mark')).readUInt32BE(0) }
}
