/**
 * Finds the entry that a host belongs to: the host itself, the longest of its suffixes, or the longest prefix of its path,
 * by a walk over its labels. Costs a look-up for each label, however many entries there are.
 */
import { hostName } from './host-name.ts'

/** The part of an entry that matching needs. */
export interface Matchable {
  readonly slug: string
  readonly name: string
  readonly category: string
  readonly hosts: readonly string[]
}

export interface HostIndex {
  readonly exact: ReadonlyMap<string, Matchable>
  readonly suffix: ReadonlyMap<string, Matchable>
  /** By host: prefixes of paths, the longest first. */
  readonly paths: ReadonlyMap<string, readonly PathPrefix[]>
}

interface PathPrefix {
  readonly prefix: string
  readonly entry: Matchable
}

export interface HostPattern {
  readonly kind: 'exact' | 'suffix' | 'path'
  readonly host: string
  /** Begins with a slash; empty for other kinds. */
  readonly path: string
}

/** Null for a pattern whose host is none. */
export function hostPattern(text: string): HostPattern | null {
  const slash = text.indexOf('/')
  if (slash !== -1) {
    const host = hostName(text.slice(0, slash))
    let end = text.length
    while (end > slash && text[end - 1] === '/') end -= 1
    const path = text.slice(slash, end)
    return host === null || path === '' ? null : { kind: 'path', host, path }
  }
  const isSuffix = text.startsWith('.')
  const host = hostName(isSuffix ? text.slice(1) : text)
  return host === null ? null : { kind: isSuffix ? 'suffix' : 'exact', host, path: '' }
}

/** Of two entries that name the same pattern the later one has it: tenants' entries stand behind the shipped ones. */
export function hostIndex(entries: readonly Matchable[]): HostIndex {
  const exact = new Map<string, Matchable>()
  const suffix = new Map<string, Matchable>()
  const paths = new Map<string, PathPrefix[]>()
  for (const entry of entries) {
    for (const text of entry.hosts) {
      const pattern = hostPattern(text)
      if (pattern === null) continue
      if (pattern.kind === 'exact') exact.set(pattern.host, entry)
      else if (pattern.kind === 'suffix') suffix.set(pattern.host, entry)
      else {
        const others = (paths.get(pattern.host) ?? []).filter(({ prefix }) => prefix !== pattern.path)
        paths.set(pattern.host, [...others, { prefix: pattern.path, entry }])
      }
    }
  }
  for (const [host, prefixes] of paths)
    paths.set(
      host,
      prefixes.toSorted((a, b) => b.prefix.length - a.prefix.length),
    )
  return { exact, suffix, paths }
}

/** @param host in the spelling of `hostName` */
export function entryOf(index: HostIndex, host: string, path: string): Matchable | null {
  const prefixes = index.paths.get(host)
  const prefixed = prefixes?.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
  if (prefixed !== undefined) return prefixed.entry
  const exact = index.exact.get(host)
  if (exact !== undefined) return exact
  for (let at = 0; ; ) {
    const found = index.suffix.get(at === 0 ? host : host.slice(at))
    if (found !== undefined) return found
    const dot = host.indexOf('.', at)
    if (dot === -1) return null
    at = dot + 1
  }
}
