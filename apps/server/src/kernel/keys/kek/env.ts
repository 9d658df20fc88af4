/** The key-encryption key out of the environment: 32 bytes in base64. */
import { KeyRefused, keyFromBase64 } from './check.ts'

/** @throws KeyRefused when it is empty, malformed or weak. */
export function kekFromEnvironment(value: string): Uint8Array {
  if (value.trim() === '') throw new KeyRefused('is set in the environment, but empty.')
  return keyFromBase64(value)
}
