/** Requirements of a key-encryption key: 32 bytes that look drawn at random and stand in no document. */
import { sha256 } from '../../crypto/digest.ts'

/** Says in words for the operator what is wrong; holds no part of the key. */
export class KeyRefused extends Error {
  constructor(what: string, cause?: unknown) {
    super(`The key-encryption key ${what}`, { cause })
    this.name = 'KeyRefused'
  }
}

/** Reads the base64 form. @throws KeyRefused */
export function keyFromBase64(text: string): Uint8Array {
  const trimmed = text.trim()
  const bytes = Buffer.from(trimmed, 'base64')
  // Node skips what is not base64; only text that is written back unchanged was wholly read.
  if (bytes.toString('base64') !== trimmed)
    throw new KeyRefused('is not base64, as `openssl rand -base64 32` (PARAPET_KEY_ENCRYPTION_KEY) makes it.')
  return keyFromBytes(bytes)
}

/** @throws KeyRefused */
export function keyFromBytes(key: Uint8Array): Uint8Array {
  const bytes = Buffer.from(key)
  if (bytes.length !== 32) throw new KeyRefused(`has ${bytes.length} bytes; it needs 32.`)
  refuseWeak(bytes)
  return Uint8Array.from(bytes)
}

// 32 random bytes hold 30 different values on average; fewer than 16 happen once in more than 10^20 draws.
const leastDifferent = 16

function refuseWeak(bytes: Buffer): void {
  if (new Set(bytes).size < leastDifferent) throw new KeyRefused('repeats itself; draw 32 random bytes.')
  const step = difference(bytes, 1)
  if (bytes.every((_, index) => index === 0 || difference(bytes, index) === step)) {
    throw new KeyRefused('is a plain sequence; draw 32 random bytes.')
  }
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) {
    throw new KeyRefused('is text, not random bytes; draw 32 random bytes.')
  }
  if (wellKnown().has(bytes.toString('hex'))) throw new KeyRefused('is published in documents; draw 32 random bytes.')
}

function difference(bytes: Buffer, index: number): number {
  return ((bytes[index] ?? 0) - (bytes[index - 1] ?? 0)) & 0xff
}

const publishedKeys = [
  // FIPS 197 and NIST SP 800-38A, appendix F; RFC 8439 section 2.8.2 is a sequence and caught as one.
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
  // GCM specification (McGrew and Viega), test cases 15 and 16.
  'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
  // RFC 8037 appendix A and RFC 8032 section 7.1: private keys people copy.
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
]

const obviousWords = [
  '',
  'password',
  'secret',
  'changeme',
  'change-me',
  'test',
  'key',
  'default',
  'parapet',
  'admin',
  'hello',
]

function wellKnown(): ReadonlySet<string> {
  return new Set([...publishedKeys, ...obviousWords.map((word) => sha256(word))])
}
