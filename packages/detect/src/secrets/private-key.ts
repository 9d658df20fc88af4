import type { Finding } from '../base/finding.ts'
import { isMonotonous } from './base/placeholders.ts'

/** Longest private key block: an RSA 16,384 key in PEM has 12,600 characters, an RSA 8,192 key 6,400. */
export const maxBlock = 8192

/** Beginnings of private key blocks. */
export const privateKeyTriggers = ['-----BEGIN ', '---- BEGIN SSH2 ENCRYPTED PRIVATE', 'Private-Lines: '] as const

const header = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const footer = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
// A block that was cut off: lines of base64 after the header, separated by line ends (also as `\n` inside a string).
const cutOff = /(?:(?:\s|\\[nr]){1,8}[A-Za-z0-9+/=]{16,128}){1,54}/y
const puttyLines = /\d{1,3}(?:\r?\n[A-Za-z0-9+/=]{2,80}){1,54}/y
const maxBody = 8000

/** The private key (RFC 7468, OpenSSH, PGP, PuTTY) whose trigger stands at `at`, whole or cut off before its end line. */
export function privateKeyAt(text: string, at: number): Finding | undefined {
  const end = text.startsWith('Private-Lines: ', at) ? puttyEnd(text, at) : blockEnd(text, at)
  return end > 0 ? { detector: 'secret', type: 'private_key', start: at, end, score: 0.99 } : undefined
}

function puttyEnd(text: string, at: number): number {
  puttyLines.lastIndex = at + 'Private-Lines: '.length
  return puttyLines.test(text) ? puttyLines.lastIndex : 0
}

function blockEnd(text: string, start: number): number {
  header.lastIndex = start
  if (!header.test(text)) return 0
  const bodyStart = header.lastIndex
  const end = closedEnd(text, bodyStart) || cutOffEnd(text, bodyStart)
  return end > 0 && holdsKey(text.slice(bodyStart, end)) ? end : 0
}

/** A body holds no five dashes, so the next ones must be the end line. */
function closedEnd(text: string, bodyStart: number): number {
  let dashes = bodyStart
  const last = Math.min(text.length, bodyStart + maxBody)
  while (dashes < last && !text.startsWith('-----', dashes)) dashes += 1
  footer.lastIndex = dashes
  return footer.test(text) ? footer.lastIndex : 0
}

function cutOffEnd(text: string, bodyStart: number): number {
  cutOff.lastIndex = bodyStart
  return cutOff.test(text) ? cutOff.lastIndex : 0
}

/** A line of real key material, not `...` or a row of one letter. */
function holdsKey(body: string): boolean {
  const line = /[A-Za-z0-9+/]{16,64}/.exec(body.replace(/-----END.*/, ''))?.[0]
  return line !== undefined && !isMonotonous(line.slice(0, 16)) && !/example|your|placeholder/i.test(line)
}
