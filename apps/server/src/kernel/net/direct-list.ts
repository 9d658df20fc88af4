/** Hosts that are called without the operator's proxy. Tested in direct-list.test.ts. */
import ipaddr from 'ipaddr.js'
import { isIn, type Range } from './address-guard.ts'

export interface DirectList {
  hasName(name: string): boolean
  hasAddress(address: string): boolean
}

/** Behind a proxy these would be the proxy's own machine, which an operator who allowed this one did not mean. */
const ownMachine = ['127.0.0.0/8', '::1', 'localhost']

const name = /^(?:\*?\.)?(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/

/**
 * Of names (`example.com` stands for all below it too, `.example.com` and `*.example.com` for those alone), addresses and
 * CIDRs; this machine itself is always on it. Throws RangeError on an entry that is none of these.
 */
export function createDirectList(entries: readonly string[]): DirectList {
  const all = [...ownMachine, ...entries.map((entry) => entry.toLowerCase())]
  const parsed = all.map((entry) => [entry, rangeOf(entry)] as const)
  const ranges = parsed.flatMap(([, range]) => (range === null ? [] : [range]))
  const names = parsed.flatMap(([entry, range]) => (range === null ? [checkedName(entry)] : []))
  return {
    hasName: (wanted) => names.some((entry) => covers(entry, wanted)),
    hasAddress: (address) => ipaddr.isValid(address) && isIn(ipaddr.parse(address), ranges),
  }
}

function rangeOf(entry: string): Range | null {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  // Some parsers read `1.2` and `0x7f.1` as addresses; no one uses them as names.
  if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry)) return null
  const address = ipaddr.parse(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function checkedName(entry: string): string {
  if (name.test(entry) && /[a-z]/.test(entry) && !ipaddr.isValid(entry)) return entry.replace(/^\*\./, '.')
  throw new RangeError(`"${entry}" is no name, address or address range such as 10.0.0.0/8.`)
}

function covers(entry: string, wanted: string): boolean {
  if (entry.startsWith('.')) return wanted.endsWith(entry)
  return wanted === entry || wanted.endsWith(`.${entry}`)
}
