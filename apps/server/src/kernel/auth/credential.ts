/** Finds the one credential of a request. Two different ones are refused: which of them counts must never be a guess. */
import { authErrors } from '../errors/errors.ts'
import { apiKeyPrefix, type ParsedApiKey, parseApiKey } from './api-keys.ts'
import type { AuthRequest } from './port.ts'

export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly key: ParsedApiKey }

const longestHeader = 8_199
const bearerForm = /^bearer ([\x21-\x7e]{1,8192})$/i

/** @throws AUTH-001, AUTH-002 */
export function readCredential(request: Pick<AuthRequest, 'authorization' | 'apiKey'>): Credential {
  const { authorization = '', apiKey = '' } = request
  if (authorization === '' && apiKey === '') throw authErrors.missing()
  const bearer = authorization === '' ? null : bearerOf(authorization)
  if (apiKey === '') return credentialOf(bearer ?? '')
  if (bearer !== null && bearer !== apiKey) throw authErrors.invalid()
  return { kind: 'key', key: keyOf(apiKey) }
}

/** A bare token or key, as a socket's first message carries it. @throws AUTH-002 */
export function credentialOf(text: string): Credential {
  return text.startsWith(apiKeyPrefix) ? { kind: 'key', key: keyOf(text) } : { kind: 'token', token: text }
}

function bearerOf(authorization: string): string {
  // A token in the usual spelling is compared with known ones as it is; only an unknown one is examined closely.
  if (authorization.startsWith('Bearer ') && authorization.length <= longestHeader) return authorization.slice(7)
  const bearer = bearerForm.exec(authorization)?.[1]
  if (bearer === undefined) throw authErrors.invalid()
  return bearer
}

function keyOf(text: string): ParsedApiKey {
  const key = parseApiKey(text)
  if (key === null) throw authErrors.invalid()
  return key
}
