/**
 * The addresses at which this process itself is reached: its listening sockets and the host of the public URL. The guard
 * of outbound calls refuses them, since a call that comes back here would beget the next one. Another instance, or a
 * second name for this one, is not known here; a header that counts hops bounds those. Tested in own-addresses.test.ts.
 */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export interface Endpoint {
  /** An IP address; `0.0.0.0` and `::` stand for all addresses of this machine. */
  readonly address: string
  readonly port: number
}

export interface OwnAddresses {
  /** Adds a socket that listens from now on. */
  listens(endpoint: Endpoint): void
  hasAddress(address: string, port: number): boolean
  /** True for the public URL's host on its port; does not resolve. */
  hasName(name: string, port: number): boolean
}

/** For ways out that cannot lead back. */
export const noOwnAddresses: Pick<OwnAddresses, 'hasAddress' | 'hasName'> = {
  hasAddress: () => false,
  hasName: () => false,
}

/** Addresses of the interfaces as they are now: they change while a process runs. */
export type LocalAddresses = () => readonly string[]

const addressesOfInterfaces: LocalAddresses = () =>
  Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address))

export function createOwnAddresses(
  publicUrl: string,
  localAddresses: LocalAddresses = addressesOfInterfaces,
): OwnAddresses {
  const listening: Endpoint[] = []
  const { hostname, port, protocol } = new URL(publicUrl)
  const publicHost = hostname.replace(/^\[|\]$/g, '')
  const publicPort = port === '' ? standardPort(protocol) : Number(port)
  const isPublic = (host: string, at: number): boolean => at === publicPort && sameHost(host, publicHost)
  return {
    listens: (endpoint) => {
      listening.push(endpoint)
    },
    hasAddress: (address, at) =>
      isPublic(address, at) ||
      listening.some(({ address: bound, port: open }) => open === at && leadsTo(address, bound, localAddresses)),
    hasName: isPublic,
  }
}

/** The port of a URL that names none. */
export const standardPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80)

function leadsTo(address: string, bound: string, localAddresses: LocalAddresses): boolean {
  if (!isEvery(bound)) return sameHost(address, bound)
  return isOfThisMachine(address) || localAddresses().some((local) => sameHost(local, address))
}

/** Loopback, and the unspecified address, which systems connect to this machine. */
function isOfThisMachine(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const range = ipaddr.process(address).range()
  return range === 'loopback' || range === 'unspecified'
}

const isEvery = (bound: string): boolean => bound === '0.0.0.0' || bound === '::'

/** An IPv4 address inside an IPv6 one is that IPv4 address, as it is for the system. */
function sameHost(one: string, other: string): boolean {
  if (one === other) return true
  if (!ipaddr.isValid(one) || !ipaddr.isValid(other)) return false
  return ipaddr.process(one).toString() === ipaddr.process(other).toString()
}
