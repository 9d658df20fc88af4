import { isIP } from 'node:net'
import type { AddressGuard } from '../net/address-guard.ts'
import { type OwnAddresses, standardPort } from '../net/own-addresses.ts'

export type UrlCheck =
  | { readonly ok: true; readonly url: URL }
  /** `rule` names the broken rule: safe to show to the tenant. */
  | { readonly ok: false; readonly rule: string }

export interface TargetPolicy {
  readonly guard: AddressGuard
  /** Ports besides 443 that public addresses may be called on. */
  readonly ports: ReadonlySet<number>
  /** True when the operator allowed private ranges at all. */
  readonly hasPrivate: boolean
  /** True for a name that the operator's proxy resolves, so that its addresses are never seen here. */
  readonly isResolvedByProxy: (name: string) => boolean
  /** This installation's own addresses, which nothing may call. */
  readonly own: Pick<OwnAddresses, 'hasAddress' | 'hasName'>
}

/** The parts of a URL, or of a connection without HTTP, that rules are about. */
export interface TargetParts {
  readonly protocol: string
  /** Empty for the standard port of the protocol. */
  readonly port: string
  /** Where rules of ports do not apply: the port that is dialed. */
  readonly dialedPort?: number
}

/** Longest address accepted, in characters. */
export const longestUrl = 2_048

/**
 * Checks what can be seen without resolving: form, scheme, port, name and literal address. A name that would need a
 * private address (plain http, another port) passes here and is decided when it is resolved.
 */
export function checkUrl(text: string, policy: TargetPolicy): UrlCheck {
  const form = brokenForm(text)
  if (form !== null) return { ok: false, rule: form }
  const url = parseUrl(text)
  if (url === null) return { ok: false, rule: 'url_form' }
  const rule = brokenAuthority(url) ?? brokenTarget(url, policy)
  return rule === null ? { ok: true, url } : { ok: false, rule }
}

/**
 * Checks an address that paths are appended to. A query would swallow the path, so that the author of the address would
 * choose the called path.
 */
export function checkBaseUrl(text: string, policy: TargetPolicy): UrlCheck {
  return text.includes('?') ? { ok: false, rule: 'query' } : checkUrl(text, policy)
}

/** The rule that the addresses of a target break, or null. Every address has to be allowed, and there must be one. */
export function brokenAddressRule(
  target: TargetParts,
  addresses: readonly string[],
  policy: TargetPolicy,
): string | null {
  if (addresses.length === 0) return 'unresolvable'
  const port = portOf(target)
  for (const address of addresses) {
    if (policy.own.hasAddress(address, port)) return ownAddress
    const verdict = policy.guard.judge(address)
    if (verdict.kind === 'refused') return verdict.rule
    if (verdict.kind === 'public') {
      const rule = publicRule(target, policy)
      if (rule !== null) return rule
    }
  }
  return null
}

/**
 * The rule that a name breaks which only the proxy resolves, or null. Without its addresses it has to be one that can be
 * public, called as public addresses are.
 */
export function brokenNameRule(
  target: TargetParts & { readonly hostname: string },
  policy: TargetPolicy,
): string | null {
  if (policy.own.hasName(target.hostname, portOf(target))) return ownAddress
  if (metadataNames.has(target.hostname)) return 'metadata'
  if (isLocalName(target.hostname)) return 'address_loopback'
  return isInnerName(target.hostname) ? 'name_private' : publicRule(target, policy)
}

/** The address inside a URL's host, without brackets, or null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? null : bare
}

// The URL parser forgives what other parsers read differently: white space, backslashes, missing or extra slashes.
function brokenForm(text: string): string | null {
  if (text.length > longestUrl) return 'url_length'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not be in a URL
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'url_form'
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i.exec(text)
  if (parts?.[1] === undefined || parts[2] === undefined) return 'url_form'
  if (!/^https?$/i.test(parts[1])) return 'scheme'
  if (parts[2].includes('@')) return 'user_info'
  return text.includes('#') ? 'fragment' : null
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function brokenAuthority(url: URL): string | null {
  if (url.username !== '' || url.password !== '') return 'user_info'
  if (literalAddress(url.hostname) !== null) return null
  // After parsing, a name is ASCII: letters of other scripts have become `xn--` labels.
  return /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(url.hostname)
    ? null
    : 'host_form'
}

function brokenTarget(url: URL, policy: TargetPolicy): string | null {
  const literal = literalAddress(url.hostname)
  if (literal !== null) return brokenAddressRule(url, [literal], policy)
  if (policy.own.hasName(url.hostname, portOf(url))) return ownAddress
  if (policy.isResolvedByProxy(url.hostname)) return brokenNameRule(url, policy)
  if (metadataNames.has(url.hostname)) return 'metadata'
  if (isLocalName(url.hostname) && !allowsLoopback(policy)) return 'address_loopback'
  return policy.hasPrivate ? null : publicRule(url, policy)
}

const ownAddress = 'own_address'

const portOf = ({ protocol, port, dialedPort }: TargetParts): number =>
  dialedPort ?? (port === '' ? standardPort(protocol) : Number(port))

function publicRule(target: TargetParts, policy: TargetPolicy): string | null {
  if (target.protocol !== 'https:') return 'scheme'
  const port = target.port === '' ? 443 : Number(target.port)
  return port === 443 || policy.ports.has(port) ? null : 'port'
}

const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'metadata.oraclecloud.com',
  'instance-data',
  'instance-data.ec2.internal',
  'rancher-metadata',
])

const isLocalName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name.endsWith('.localdomain') || /^ip6-/.test(name)

/** Names that no public DNS has: of one label, and below domains that are kept or used for private networks (RFC 6762, RFC 8375). */
const isInnerName = (name: string): boolean =>
  !name.includes('.') || /\.(?:local|internal|intranet|private|corp|home|lan|home\.arpa)$/.test(name)

const allowsLoopback = ({ guard }: TargetPolicy): boolean =>
  ['127.0.0.1', '::1'].some((address) => guard.judge(address).kind === 'private')
