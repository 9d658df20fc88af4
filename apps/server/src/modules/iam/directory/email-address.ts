import { domainToASCII } from 'node:url'

/** The same key for every spelling of one mailbox: case and Unicode form ignored, the domain in ASCII. */
export function emailKey(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .normalize('NFC')
    .toLowerCase()
  return `${email.slice(0, at).normalize('NFC').toLowerCase()}@${domainToASCII(domain) || domain}`
}
