/** SHA-256 of data wholly in memory, in the one call that makes no hash object. Tested in digest.test.ts. */
import { hash } from 'node:crypto'

/**
 * SHA-256 (FIPS 180-4).
 * @param data text, taken as UTF-8, or bytes
 * @param form how the 32 bytes are written; lower-case hex where nothing is said
 */
export function sha256(data: string | Uint8Array, form: 'hex' | 'base64' | 'base64url' = 'hex'): string {
  return hash('sha256', data, form)
}
