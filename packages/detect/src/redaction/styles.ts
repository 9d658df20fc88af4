/**
 * Replacements that cannot be undone. Tested in styles.test.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Finding } from '../base/finding.ts'
import { placeholderType } from './placeholder.ts'

/** `TYPE_` and 16 hexadecimal digits of HMAC-SHA-256: equal values can be joined, and only the key holder can guess. */
export function hashed({ type }: Finding, value: string, key: Uint8Array): string {
  const name = placeholderType(type)
  return `${name}_${bytesToHex(hmac(sha256, key, utf8ToBytes(`${name}\n${value.toWellFormed()}`))).slice(0, 16)}`
}

const star = '*'

/** Keeps the parts by which people recognize a value: its layout and, if customary, the last four characters. */
export function masked({ type, detector }: Finding, value: string): string {
  if (detector === 'secret') return value.length >= 24 ? star.repeat(8) + value.slice(-4) : star.repeat(8)
  if (type === 'EMAIL') return maskedEmail(value)
  if (type === 'IBAN') return value.slice(0, 2) + lastKept(value.slice(2))
  if (type === 'PERSON')
    return value.replace(/[\p{L}\p{M}]{1,64}/gu, (word) => `${[...word][0] ?? ''}${star.repeat(3)}`)
  return lastFour.has(type) ? lastKept(value) : allMasked(value)
}

const lastFour = new Set(['CREDIT_CARD', 'PHONE', 'US_SSN', 'IMEI'])

const allMasked = (value: string): string => value.replace(/[\p{L}\p{M}\p{N}]/gu, star)

/** Letters and digits but the last four; of a short value nothing stays. */
function lastKept(value: string): string {
  const count = value.replace(/[^\p{L}\p{N}]/gu, '').length
  let left = count >= 8 ? count - 4 : count
  return value.replace(/[\p{L}\p{N}]/gu, (char) => (left-- > 0 ? star : char))
}

/** First letter and top-level domain: `a***@***.com`. */
function maskedEmail(value: string): string {
  const dot = value.lastIndexOf('.')
  const tail = /^\.[\p{L}\p{N}]{2,24}$/u.test(value.slice(dot)) ? value.slice(dot) : ''
  return `${[...value][0] ?? ''}***@***${tail}`
}
