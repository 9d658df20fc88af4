import type { Finding } from '../finding.ts'
import type { Matcher } from '../matcher.ts'

/** Longest private key block: an RSA 16,384 key in PEM has 12,600 characters, an RSA 8,192 key 6,400. */
export const maxBlock = 8192

const header = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const closed = /(?:[^-]|-(?!----)){0,8000}-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
// A block that was cut off: lines of base64 after the header, separated by line ends (also as `\n` inside a string).
const cutOff = /(?:(?:\s|\\[nr]){1,8}[A-Za-z0-9+/=]{16,128}){1,54}/y

/** PEM private keys (RFC 7468, OpenSSH, PGP), whole or cut off before their end line. */
export const privateKey: Matcher = {
  types: ['private_key'],
  collect: (text, from, found) => {
    for (let at = text.indexOf('-----BEGIN ', from); at >= 0; at = text.indexOf('-----BEGIN ', at + 10)) {
      const end = blockEnd(text, at)
      if (end > 0) found.push(findingAt(at, end))
    }
  },
}

const findingAt = (start: number, end: number): Finding => ({
  detector: 'secret',
  type: 'private_key',
  start,
  end,
  score: 0.99,
})

function blockEnd(text: string, start: number): number {
  header.lastIndex = start
  if (!header.test(text)) return 0
  const bodyStart = header.lastIndex
  for (const body of [closed, cutOff]) {
    body.lastIndex = bodyStart
    const match = body.exec(text)?.[0]
    if (match !== undefined && /[A-Za-z0-9+/]{16}/.test(match)) return bodyStart + match.length
  }
  return 0
}
