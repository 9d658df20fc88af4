/** Whether an address lies in a list of networks. Addresses and networks that cannot be read lie in none. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An empty list allows every address. IPv4-mapped addresses count as the IPv4 address they carry. */
export function isAllowedAddress(ip: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  // Node's check first: the library reads octal, hexadecimal and short forms, of which no socket ever speaks.
  if (isIP(ip) === 0) return false
  const address = ipaddr.process(ip)
  return networks.some((network) => contains(network, address))
}

/** True for `10.0.0.0/8`, `2001:db8::/32`, or one address alone. */
export function isNetwork(text: string): boolean {
  return readNetwork(text) !== null
}

/** Whether every address of the first network lies in the second. */
export function isWithin(network: string, wider: string): boolean {
  const inner = readNetwork(network)
  const outer = readNetwork(wider)
  return inner !== null && outer !== null && inner[1] >= outer[1] && contains(wider, inner[0])
}

/** The networks that lie in both lists; two networks that meet lie one in the other. */
export function commonNetworks(some: readonly string[], others: readonly string[]): readonly string[] {
  const inside = (inner: readonly string[], outer: readonly string[]) =>
    inner.filter((network) => outer.some((wider) => isWithin(network, wider)))
  return [...new Set([...inside(some, others), ...inside(others, some)])]
}

/** The network an address belongs to, as far as its owner is one: the /24 of IPv4, the /64 of IPv6. Null for no address. */
export function networkOf(ip: string): string | null {
  if (isIP(ip) === 0) return null
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`
}

function contains(network: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const range = readNetwork(network)
  if (range === null) return false
  const [base, bits] = range
  if (base instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(base, bits)
  return address instanceof ipaddr.IPv6 && address.match(base, bits)
}

/** `10.0.0.0/8`, `2001:db8::/32`, or one address alone. */
function readNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [host = '', bits, ...more] = text.split('/')
  const family = isIP(host)
  if (family === 0 || more.length > 0) return null
  const widest = family === 4 ? 32 : 128
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null
  const length = bits === undefined ? widest : Number(bits)
  return length <= widest ? [ipaddr.parse(host), length] : null
}
