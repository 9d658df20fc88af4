/**
 * Hosts of services in the forms that network equipment reads: a hosts file, a proxy auto-configuration, a response policy
 * zone. Patterns of paths are left out and named in a comment, because none of the three sees paths. Pure; tested in
 * block-list.test.ts, which reads each form back.
 */

import { hostPattern } from '../matching/host-index.ts'
import { isAddress } from '../matching/host-name.ts'

export type BlockListFormat = 'hosts' | 'pac' | 'rpz'

export interface BlockedService {
  readonly name: string
  /** Patterns of the catalog. */
  readonly hosts: readonly string[]
  /** Hosts of the logs, in the spelling of `hostName`. */
  readonly seen: readonly string[]
}

interface Blocked {
  /** Hosts alone. */
  readonly exact: readonly string[]
  /** Domains with everything below them. */
  readonly suffix: readonly string[]
  readonly addresses: readonly string[]
  /** Patterns that cannot be blocked by a host. */
  readonly paths: readonly string[]
  /** Hosts seen below one of the domains, for forms that have no domains. */
  readonly below: readonly string[]
}

export function blockList(format: BlockListFormat, services: readonly BlockedService[]): string {
  return writers[format](blockedOf(services))
}

function blockedOf(services: readonly BlockedService[]): Blocked {
  const patterns = services.flatMap(({ hosts }) => hosts.flatMap((text) => hostPattern(text) ?? []))
  const of = (kind: 'exact' | 'suffix' | 'path') => patterns.filter((pattern) => pattern.kind === kind)
  const suffix = new Set(of('suffix').map(({ host }) => host))
  const pathHosts = new Set(of('path').map(({ host }) => host))
  // A host that was seen because of a path is used by more than the service.
  const seen = services.flatMap((service) => service.seen).filter((host) => !pathHosts.has(host) && isHost(host))
  const isBelow = (host: string): boolean => parentsOf(host).some((parent) => suffix.has(parent))
  const all = [...of('exact').map(({ host }) => host), ...seen]
  const names = unique(all.filter((host) => !isAddress(host)))
  return {
    exact: names.filter((host) => !isBelow(host)),
    suffix: unique([...suffix]),
    addresses: unique(all.filter(isAddress)),
    paths: unique(of('path').map(({ host, path }) => `${host}${path}`)),
    below: names.filter(isBelow),
  }
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort()

/** Nothing but a name of DNS or an address is written to a file that others run. */
const isHost = (text: string): boolean => hostPattern(text)?.kind === 'exact'

function parentsOf(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

const writers: Readonly<Record<BlockListFormat, (blocked: Blocked) => string>> = {
  hosts: hostsFile,
  pac: autoConfiguration,
  rpz: policyZone,
}

const comments = (mark: string, lines: readonly string[]): readonly string[] => lines.map((line) => `${mark} ${line}`)

const leftOut = ({ paths }: Blocked): readonly string[] => [
  ...(paths.length === 0 ? [] : ['Not blocked, because they share their host with other services:']),
  ...paths.map((path) => `  ${path.replaceAll(/[^\x21-\x7e]/g, '_')}`),
]

/** A hosts file has no wildcards: of a domain the name itself and the hosts that were seen below it are in it. */
function hostsFile(blocked: Blocked): string {
  const names = unique([...blocked.exact, ...blocked.suffix, ...blocked.below])
  const head = comments('#', [
    'AI services. A hosts file has no wildcards: subdomains that were not seen stay reachable.',
    ...leftOut(blocked),
    ...(blocked.addresses.length === 0 ? [] : [`Addresses, for a packet filter: ${blocked.addresses.join(' ')}`]),
  ])
  return `${[...head, ...names.flatMap((name) => [`0.0.0.0 ${name}`, `:: ${name}`])].join('\n')}\n`
}

/** Draft of response policy zones: a CNAME to the root answers that the name does not exist. */
function policyZone(blocked: Blocked): string {
  const lines = [
    ...comments(';', ['AI services', ...leftOut(blocked)]),
    '$TTL 300',
    '@ IN SOA localhost. root.localhost. ( 1 3600 600 86400 300 )',
    '@ IN NS localhost.',
    ...blocked.exact.map((name) => `${name} CNAME .`),
    ...blocked.suffix.flatMap((name) => [`${name} CNAME .`, `*.${name} CNAME .`]),
    ...blocked.addresses.filter((address) => !address.includes(':')).map((address) => `${reversed(address)} CNAME .`),
  ]
  return `${lines.join('\n')}\n`
}

const reversed = (address: string): string => `32.${address.split('.').reverse().join('.')}.rpz-ip`

/** Refused through a proxy address at which nothing listens, as proxy auto-configurations have no way to refuse. */
function autoConfiguration(blocked: Blocked): string {
  const set = (names: readonly string[]): string => `{${names.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`
  const lines = [
    ...comments('//', ['AI services', ...leftOut(blocked)]),
    `var hosts = ${set([...blocked.exact, ...blocked.addresses])}`,
    `var domains = ${set(blocked.suffix)}`,
    'function FindProxyForURL(url, host) {',
    "  var name = host.toLowerCase().replace(/^\\[|\\]$/g, '').replace(/\\.$/, '')",
    "  if (Object.prototype.hasOwnProperty.call(hosts, name)) return 'PROXY 127.0.0.1:9'",
    '  for (var at = 0; at !== -1; ) {',
    '    if (Object.prototype.hasOwnProperty.call(domains, name.slice(at))) return ' + "'PROXY 127.0.0.1:9'",
    "    var dot = name.indexOf('.', at)",
    '    at = dot === -1 ? -1 : dot + 1',
    '  }',
    "  return 'DIRECT'",
    '}',
  ]
  return `${lines.join('\n')}\n`
}
