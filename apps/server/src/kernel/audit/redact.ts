/**
 * Values in audit entries: secrets become keyed digests, so that a reader sees *that* a secret changed
 * and never which. Text that JSON storage refuses is replaced, because an odd byte must not undo a change. Secrets under
 * harmless names are not found here. Tested in record.test.ts.
 */

import { askedOnce } from '../base/names.ts'
import { storable } from '../db/storable.ts'

const secretName =
  /secret|passw(or)?d|passphrase|token|private_?key|api_?key|credential|authorization|cookie|otp|recovery_?codes?|pepper/i

/** Names that contain such a word and say something else: `total_tokens`, `token_type`, `password_policy`, `api_key_id`. */
const harmlessName =
  /tokens(_|$)|(_id|_ids|_at|_name|_count|_limit|_budget|_type|_policy|_hint|_prefix|_last4|_version|_length|_days|_hours|_minutes|_seconds|_attempts|_required|_enabled|_status)$/i

const isSecretName = askedOnce((name) => secretName.test(name) && !harmlessName.test(name))

export type Digest = (value: string) => string

/** A copy that may be stored: secrets as `digest:…`, no text that JSON storage refuses. */
export function redacted(value: unknown, digest: Digest): unknown {
  return walk(value, false, digest)
}

function walk(value: unknown, secret: boolean, digest: Digest): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null
  if (Array.isArray(value)) return value.map((item) => walk(item, secret, digest))
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `digest:${digest(Buffer.from(value).toString('base64'))}`
  if (typeof value === 'object') return walkMembers(value, secret, digest)
  if (secret) return `digest:${digest(String(value))}`
  if (typeof value === 'string') return storable(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value)
}

function walkMembers(value: object, secret: boolean, digest: Digest): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name)
    if (member !== undefined) members[storable(name)] = walk(member, secret || isSecretName(name), digest)
  }
  return members
}
