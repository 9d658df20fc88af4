/** Host names of logs in one spelling. Tested in matching.test.ts. */
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

const plainName = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/
const mostLength = 253

/**
 * Lower case, without a dot at the end, international names in their ASCII form (IDNA), addresses in their shortest form.
 * Null for text that is no host, so that nothing of a log's making gets further than this.
 */
export function hostName(text: string): string | null {
  const trimmed = text.endsWith('.') ? text.slice(0, -1) : text
  // The converter would drop line ends instead of refusing them.
  if (trimmed === '' || trimmed.length > mostLength || /[\p{Cc}\s]/u.test(trimmed)) return null
  if (trimmed.includes(':')) return ipaddr.IPv6.isValid(trimmed) ? ipaddr.process(trimmed).toString() : null
  const lower = trimmed.toLowerCase()
  // Underscores stand in names of DNS, though in none of hosts, and the converter refuses them.
  const name = plainName.test(lower) ? lower : domainToASCII(lower)
  return plainName.test(name) && !name.includes('..') && name.length <= mostLength ? name : null
}

export const isAddress = (host: string): boolean => host.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)
