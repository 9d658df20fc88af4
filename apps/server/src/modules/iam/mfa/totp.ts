/**
 * One-time codes by time (RFC 6238 over RFC 4226): pure functions of a secret and a moment. Where the last used step and
 * the drift of a device are kept, and that no code counts twice, is the database's part, in use-code.ts. Tested in
 * totp.test.ts against the vectors of the standard and another implementation.
 */
import { createHmac } from 'node:crypto'

export type HashName = 'sha1' | 'sha256' | 'sha512'

/** Parameters every authenticator app supports: some ignore other hashes, lengths and steps. */
export const codeDigits = 6
export const stepSeconds = 30
/** 160 bits, the length RFC 4226 recommends. */
export const secretBytes = 20

/** The code of a counter (RFC 4226 section 5.3). */
export function hotp(secret: Uint8Array, counter: number, form: { hash?: HashName; digits?: number } = {}): string {
  const { hash = 'sha1', digits = codeDigits } = form
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac(hash, secret).update(message).digest()
  const offset = (mac[mac.length - 1] ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The time step a moment is in. @param nowMs Unix milliseconds */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / 1000 / stepSeconds)
}

export interface Match {
  readonly step: number
  /** Drift of the device's clock that this code shows: behind (−1), right (0) or ahead (1). */
  readonly drift: Drift
}

export type Drift = -1 | 0 | 1

export interface CodeMoment {
  /** Unix milliseconds. */
  readonly nowMs: number
  /** Learned from the codes before; `enrolling` when this is the first. */
  readonly drift: Drift | 'enrolling'
}

/** Steps from now on that are looked at, the likeliest first. Never more than three codes are good at a time. */
const windows = {
  enrolling: [0, -1, 1],
  [-1]: [-1, 0, -2],
  0: [0, -1],
  1: [1, 0, -1],
} as const

/** The step a code is of; null when it is of none that is good now. The step before is the time it takes to type. */
export function matchCode(secret: Uint8Array, code: string, { nowMs, drift }: CodeMoment): Match | null {
  const now = stepAt(nowMs)
  // The caller has proved a password before, and each code allows one try, so the time of a comparison reveals nothing.
  const offset = windows[drift].find((candidate) => now + candidate >= 0 && hotp(secret, now + candidate) === code)
  return offset === undefined ? null : { step: now + offset, drift: learned(drift, offset) }
}

function learned(before: CodeMoment['drift'], offset: number): Drift {
  if (offset > 0) return 1
  // A code of the step before is a slow clock or slow typing: the window opens on that side until a code of now comes.
  if (offset < 0) return before === 1 ? 0 : -1
  return before === 1 ? 1 : 0
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 section 6 without padding, the form in which authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Content of the QR code for an authenticator app (the `otpauth` form of Google Authenticator's key URI). */
export function otpauthUri(secret: Uint8Array, of: { readonly issuer: string; readonly account: string }): string {
  const label = `${encodeURIComponent(of.issuer)}:${encodeURIComponent(of.account)}`
  const issuer = encodeURIComponent(of.issuer)
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${codeDigits}&period=${stepSeconds}`
}
