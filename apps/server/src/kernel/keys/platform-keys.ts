/** Keys of the installation, derived from the key-encryption key by purpose; nothing is stored. Tested in platform-keys.test.ts. */
import { createHmac } from 'node:crypto'
import { deriveKey } from '../crypto/wrapping.ts'
import type { PlatformKeys } from './port.ts'

export function createPlatformKeys(kek: Uint8Array): PlatformKeys {
  const keys = new Map<string, Uint8Array>()
  const keyOf = (purpose: string): Uint8Array => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const key = deriveKey(kek, `platform/${purpose}`)
    keys.set(purpose, key)
    return key
  }
  return {
    mac: (purpose, value) => createHmac('sha256', keyOf(purpose)).update(value).digest('base64url'),
    derive: (purpose) => Uint8Array.from(keyOf(purpose)),
  }
}
