/**
 * Says which IP addresses may be dialed. Promises that only global unicast addresses and the operator's private ranges
 * pass, in whatever form an address is written, and cloud metadata never. Does not resolve names and knows no ports.
 * Tested in address-guard.test.ts.
 */
import ipaddr from 'ipaddr.js'

export type AddressVerdict =
  | { readonly kind: 'public' }
  /** Inside a range the operator allowed. */
  | { readonly kind: 'private' }
  | { readonly kind: 'refused'; readonly rule: string }

export interface AddressGuard {
  /** Judges one address as a resolver or URL parser writes it (no brackets). */
  judge(address: string): AddressVerdict
}

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = readonly [Address, number]

/** A guard with the operator's ranges, as CIDRs. Throws RangeError on a CIDR that does not parse or is too wide. */
export function createAddressGuard(allowedPrivate: readonly string[]): AddressGuard {
  const allowed = allowedPrivate.map(parseRange)
  return { judge: (address) => judge(address, allowed) }
}

function judge(text: string, allowed: readonly Range[]): AddressVerdict {
  const address = parseAddress(text)
  if (address === null) return refused('address_form')
  if (isMetadata(address)) return refused('metadata')
  if (isIn(address, allowed)) return throughTranslator(address, allowed) ?? { kind: 'private' }
  const range = specialRange(address)
  return range === null ? { kind: 'public' } : refused(`address_${range}`)
}

/**
 * An operator on an IPv6-only network may allow the NAT64 prefix; the guard then checks the IPv4 address behind it.
 * Null for every other address.
 */
function throughTranslator(address: Address, allowed: readonly Range[]): AddressVerdict | null {
  const inner = embeddedIpv4(address)
  return inner === null ? null : judge(inner.toString(), allowed)
}

/** Strict on purpose: shorthand, octal and hex were mapped by the URL parser; any that are left are refused. */
function parseAddress(text: string): Address | null {
  // A zone (`fe80::1%eth0`) picks an interface of this machine.
  if (text.includes('%')) return null
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null
}

// Addresses where clouds hand credentials to any process of the machine. Several lie in ranges an operator may well
// allow, and one of them is a public address.
const metadata: readonly Range[] = [
  '169.254.169.254/32', // AWS, Azure, Google, DigitalOcean, OpenStack, Oracle, Hetzner
  '169.254.169.253/32', // AWS resolver
  '169.254.170.0/24', // AWS container and pod credentials
  '169.254.0.23/32', // Tencent
  '169.254.10.10/32', // Tencent
  '168.63.129.16/32', // Azure host agent
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle, older images
  'fd00:ec2::/32', // AWS over IPv6: instance, container, pod
  'fd20:ce::254/128', // Google over IPv6
  'fe80::a9fe:a9fe/128', // OpenStack over IPv6
].map((cidr) => ipaddr.parseCIDR(cidr))

function isMetadata(address: Address): boolean {
  const inner = embeddedIpv4(address)
  return isIn(address, metadata) || (inner !== null && isIn(inner, metadata))
}

/** The IPv4 address inside an IPv6 one: mapped, compatible, RFC 6145, NAT64 and 6to4; null if there is none. */
function embeddedIpv4(address: Address): ipaddr.IPv4 | null {
  if (address.kind() === 'ipv4') return null
  const bytes = address.toByteArray()
  if (isIn(address, sixToFour)) return new ipaddr.IPv4(bytes.slice(2, 6))
  return isIn(address, lastFourBytes) ? new ipaddr.IPv4(bytes.slice(12, 16)) : null
}

const sixToFour: readonly Range[] = [ipaddr.parseCIDR('2002::/16')]
const lastFourBytes: readonly Range[] = ['::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
)

const globalUnicast: readonly Range[] = [ipaddr.parseCIDR('2000::/3')]
// IETF protocol assignments: Teredo, ORCHID, benchmarking and the rest; nothing in it is a server on the Internet.
const protocolAssignments: readonly Range[] = [ipaddr.parseCIDR('2001::/23')]

/** The name of the special range an address is in, or null for global unicast. */
function specialRange(address: Address): string | null {
  const range = address.range()
  if (range !== 'unicast') return snakeCase(range)
  if (address.kind() === 'ipv4') return null
  if (!isIn(address, globalUnicast)) return 'not_global'
  return isIn(address, protocolAssignments) ? 'reserved' : null
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Ranges hold addresses of their own kind alone. */
export function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([network, bits]) => {
    if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits)
    return network instanceof ipaddr.IPv6 && address.match(network, bits)
  })
}

// Wider than any private range there is: a slip such as 0.0.0.0/0 would switch the guard off.
const widest = { ipv4: 8, ipv6: 7 } as const

function parseRange(cidr: string): Range {
  if (!ipaddr.isValidCIDR(cidr)) throw new RangeError(`"${cidr}" is not an address range such as 10.0.0.0/8.`)
  const [network, bits] = ipaddr.parseCIDR(cidr)
  if (bits < widest[network.kind()]) throw new RangeError(`The range ${cidr} is too wide to be private.`)
  return [network, bits]
}

const refused = (rule: string): AddressVerdict => ({ kind: 'refused', rule })
