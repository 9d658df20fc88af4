/** Keys under the key-encryption key: derived ones by purpose (HKDF, RFC 5869) and stored ones wrapped. */
import { hkdfSync } from 'node:crypto'
import { boundTo, keyVersionOf, open, seal } from './envelope.ts'
import type { Random } from './random.ts'

export interface KeyWrap {
  wrap(kind: string, id: string, key: Uint8Array): Uint8Array
  /** @throws Error that names the cause: another key-encryption key, or a changed row. */
  unwrap(kind: string, id: string, wrapped: Uint8Array): Uint8Array
}

/** A 32-byte key of one purpose; different purposes share nothing. */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, 'parapet', purpose, 32))
}

export function createKeyWrap(kek: Uint8Array, random: Pick<Random, 'bytes'>): KeyWrap {
  const key = deriveKey(kek, 'wrap')
  // Four derived bytes tell a wrong key from a damaged row without telling anything about the key.
  const mark = Buffer.from(deriveKey(kek, 'wrap-mark')).readUInt32BE(0)
  return {
    wrap: (kind, id, plaintext) =>
      seal({ key, keyVersion: mark, nonce: random.bytes(12), context: boundTo('wrap', kind, id), plaintext }),
    unwrap: (kind, id, wrapped) => {
      if (keyVersionOf(wrapped) !== mark) {
        throw new Error(
          `The ${kind.replaceAll('_', ' ')} ${id} was wrapped under another key-encryption key. Restore the key that belongs to this database.`,
        )
      }
      return open(key, boundTo('wrap', kind, id), wrapped)
    },
  }
}
