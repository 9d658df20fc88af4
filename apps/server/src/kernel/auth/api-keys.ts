/**
 * API keys: `ppt_<id:12>_<secret:43>_<checksum:6>`, all base62. The checksum lets typing errors and made-up keys be
 * dropped without a look-up and lets secret scanners be sure; only a peppered digest of the secret is stored.
 * Tested in api-keys.test.ts.
 */
import { timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from '../crypto/random.ts'
import type { PlatformKeys } from '../keys/port.ts'

export const apiKeyPrefix = 'ppt_'

export interface ParsedApiKey {
  /** Public half: stands in lists and logs. */
  readonly keyId: string
  readonly secret: string
}

export interface NewApiKey extends ParsedApiKey {
  /** The whole key, shown once. */
  readonly text: string
}

const form = /^ppt_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A secret of 43 base62 characters carries 256 bits. */
export function makeApiKey(random: Pick<Random, 'base62'>): NewApiKey {
  const keyId = random.base62(12)
  const secret = random.base62(43)
  const body = `${apiKeyPrefix}${keyId}_${secret}`
  return { keyId, secret, text: `${body}_${checksum(body)}` }
}

/** Null when form or checksum are wrong. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const match = form.exec(text)
  if (match === null) return null
  const [, keyId = '', secret = '', sum = ''] = match
  return checksum(`${apiKeyPrefix}${keyId}_${secret}`) === sum ? { keyId, secret } : null
}

/** The stored form of a key: HMAC-SHA-256 under a key derived for this alone, bound to the key's id. */
export function hashApiKey(keys: Pick<PlatformKeys, 'mac'>, key: ParsedApiKey): string {
  return keys.mac('api-key', `${key.keyId}.${key.secret}`)
}

/** Takes the same time for a wrong secret as for an unknown key (`storedHash` null). */
export function apiKeyMatches(keys: Pick<PlatformKeys, 'mac'>, key: ParsedApiKey, storedHash: string | null): boolean {
  const given = Buffer.from(hashApiKey(keys, key))
  const stored = Buffer.from(storedHash ?? '')
  const comparable = stored.length === given.length
  return timingSafeEqual(given, comparable ? stored : given) && comparable
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let digit = 0; digit < 6; digit += 1) {
    text = `${base62[rest % 62] ?? ''}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
