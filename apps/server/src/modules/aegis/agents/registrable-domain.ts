import { parse } from 'tldts'

/**
 * The registrable domain of a host by the Public Suffix List, private section included (`a.github.io` is its own); the
 * host itself where it has none, such as an address or `localhost`. In lower case.
 */
export function registrableDomain(host: string): string {
  const { domain, hostname } = parse(host, { allowPrivateDomains: true })
  return (domain ?? hostname ?? host).toLowerCase()
}
