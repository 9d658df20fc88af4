/**
 * Passwords in addresses: `postgres://user:password@host/db`, `https://user:password@host`.
 * Promises to read at most 256 characters of user information; does not judge the host. Tested in url-credentials.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import { isPlaceholder } from './base/placeholders.ts'
import { isWordy, looksRandom, textureOf } from './base/wordiness.ts'

export const urlTrigger = '://'

const maxUserInfo = 256
const maxRest = 256
const maxTrimmed = 24

/** The address with a password whose `://` stands at `at`. */
export function urlCredentialAt(text: string, at: number): Finding | undefined {
  const start = schemeStart(text, at)
  if (start === at) return undefined
  const from = at + urlTrigger.length
  const parts = userInfo(text, from)
  // `[` opens an IPv6 host, whose colons separate nothing.
  if (!parts || text[from] === '[') return undefined
  const user = text.slice(from, parts.colon)
  const password = text.slice(parts.colon + 1, parts.at)
  const score = passwordScore({ user, password, host: text.slice(parts.at + 1, parts.at + 80) })
  return score > 0
    ? { detector: 'secret', type: 'connection_string', start, end: addressEnd(text, parts.at + 1), score }
    : undefined
}

const isSchemeUnit = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 43 ||
  code === 46 ||
  code === 45

function schemeStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 24 && isSchemeUnit(text.charCodeAt(start - 1))) start -= 1
  return start
}

/** Places of the first colon and the last `@` of the user information; a password may hold `@`, `/`, `#` and `?`. */
function userInfo(text: string, from: number): { colon: number; at: number } | undefined {
  let [colon, at] = [-1, -1]
  for (let i = from; i < from + maxUserInfo && i < text.length; i += 1) {
    const unit = text[i] ?? ''
    if (unit === ':' && colon < 0) colon = i
    else if (unit === '@' && colon >= 0) at = i
    else if (unit === '/' && (colon < 0 || at >= 0 || text[i + 1] === '/')) break
    else if (endsAddress(text.charCodeAt(i)) || ((unit === '?' || unit === ',') && at >= 0)) break
  }
  return colon >= 0 && at > colon + 1 ? { colon, at } : undefined
}

const stops = new Set([...'"\'`<>\\\u201c\u201d\u00a0\u2028\u3000'].map((unit) => unit.charCodeAt(0)))
const endsAddress = (code: number): boolean => code <= 32 || stops.has(code)

function addressEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && end - from < maxRest && !endsAddress(text.charCodeAt(end))) end += 1
  const longest = end
  while (end > from && longest - end < maxTrimmed && ',;:.!)]}*|'.includes(text[end - 1] ?? '')) end -= 1
  return end
}

const demoHost = /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|host|hostname|db|example|your|server|domain)\b/i

function passwordScore({ user, password, host }: { user: string; password: string; host: string }): number {
  if (password.length < 4 || /^\d{1,5}$/.test(password) || password === user) return 0
  if (isPlaceholder(password) || /^[\w-]{0,20}(?:user|name)[\w-]{0,10}:/.test(password)) return 0
  // A colon in a host without user information, as in `http://host:8080/@handle`.
  if (/^\d{1,5}\//.test(password) || !/^[\w[]/.test(host)) return 0
  const texture = textureOf(password)
  if (looksRandom(password, texture)) return 0.97
  if (demoHost.test(host) && (isWordy(password, texture) || texture.digits + texture.symbols === 0)) return 0
  return texture.digits + texture.symbols > 0 ? 0.9 : password.length >= 8 ? 0.7 : 0.55
}
