/**
 * Reads a link target the way a browser would: references and escapes undone, control characters and backslash tricks
 * resolved, user info set apart. Never throws. Tested through links.test.ts.
 */
import { namedEntities } from '../../text/decode/entities.ts'
import { normalize } from '../../text/normalize/normalize.ts'

export interface Address {
  readonly kind: 'web' | 'script' | 'document' | 'other'
  /** In lower case, international names in their `xn--` form; empty when there is none. */
  readonly host: string
  /** Host and port as written. */
  readonly hostPort: string
  readonly userInfo: string
  /** Path, query and fragment. */
  readonly rest: string
}

const relative: Address = { kind: 'other', host: '', hostPort: '', userInfo: '', rest: '' }

/** Cheap exclusion of targets without scheme and host. */
export const mayLeave = (raw: string): boolean => /[:&%\\\uff1a]|\/\s{0,4}\//.test(raw)

/** Reads a target; anything without a scheme and host is `other`. */
export function readAddress(raw: string): Address {
  if (!mayLeave(raw)) return relative
  const target = cleanTarget(raw)
  const scheme = /^([a-z][a-z0-9+.-]{0,20}):/i.exec(target)?.[1]?.toLowerCase()
  if (scheme === 'javascript' || scheme === 'vbscript' || scheme === 'livescript')
    return { ...relative, kind: 'script', rest: target }
  if (scheme === 'data') return { ...relative, kind: isDocument(target) ? 'document' : 'other' }
  if (scheme !== undefined && !webSchemes.has(scheme)) return relative
  const after = (scheme === undefined ? target : target.slice(scheme.length + 1)).replace(/\\/g, '/')
  if (scheme === undefined && !after.startsWith('//')) return relative
  return splitAddress(after.slice(leadingSlashes(after)))
}

const webSchemes: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss', 'ftp'])

/** Media types that run or show markup when opened. */
const isDocument = (target: string): boolean =>
  /^data:(?:text\/(?:html|xml|javascript)|image\/svg|application\/(?:xhtml|xml|javascript))/i.test(target)

function leadingSlashes(text: string): number {
  let i = 0
  while (text.charCodeAt(i) === 47) i += 1
  return i
}

function splitAddress(text: string): Address {
  const end = text.search(/[/?#]/)
  const authority = end < 0 ? text : text.slice(0, end)
  const at = authority.lastIndexOf('@')
  const hostPort = authority.slice(at + 1)
  const host = canonicalHost(hostPort)
  if (host === '') return relative
  return {
    kind: 'web',
    host,
    hostPort,
    userInfo: at < 0 ? '' : authority.slice(0, at),
    rest: end < 0 ? '' : text.slice(end),
  }
}

/** The host as written, with look-alike letters folded. */
export const shownHost = ({ hostPort }: Address): string => normalize(hostPort).text.replace(/:\d{0,5}$/, '')

/** Lower case and `xn--` form; the written form when it is no valid host, so that it matches no list. */
function canonicalHost(hostPort: string): string {
  const address = `http://${hostPort}/`
  if (/^[a-z0-9.-]{1,253}$/.test(hostPort)) return hostPort.endsWith('.') ? hostPort.slice(0, -1) : hostPort
  const host = URL.canParse(address) ? new URL(address).hostname : hostPort.toLowerCase()
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Blanks around, controls inside and hidden characters are ignored by browsers; references by HTML and Markdown. */
function cleanTarget(raw: string): string {
  if (/^[!-$'-~]*$/.test(raw)) return raw
  const decoded = raw.includes('&')
    ? raw.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/gi, unreferenced)
    : raw
  const bare = [...decoded].filter((char) => !isIgnored(char.codePointAt(0) ?? 0)).join('')
  return /^[a-z]{2,12}(?:%3a|\\:)/i.test(bare) ? bare.replace(/%3a|\\:/i, ':') : bare
}

function unreferenced(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return namedEntities.get(name) ?? namedEntities.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

const isIgnored = (code: number): boolean =>
  code <= 32 ||
  (code >= 0x7f && code <= 0xa0) ||
  code === 0xad ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  code === 0xfeff ||
  code >= 0xe0000

/** Whether a host is on a list of names; `*.` stands for any labels before, `*` alone for every host. */
export function isHostAllowed(host: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const pattern = entry.toLowerCase()
    if (pattern === '*') return true
    return pattern.startsWith('*.')
      ? host.endsWith(pattern.slice(1)) && host.length >= pattern.length
      : host === pattern
  })
}

const isEnd = (code: number): boolean =>
  code <= 32 ||
  code === 34 ||
  code === 39 ||
  code === 60 ||
  code === 62 ||
  code === 96 ||
  code === 0x7f ||
  code === 0xa0

// Deeper nesting is no address, and following it from each bracket would cost time.
const maxDepth = 4

/** Longest target that is read, in UTF-16 units. */
export const maxTarget = 180

/** End of a target that begins at `from`: before a blank, a quote, an angle bracket or an unmatched parenthesis. */
export function targetEnd(text: string, from: number): number {
  const most = Math.min(text.length, from + maxTarget)
  let depth = 0
  for (let i = from; i < most; i += 1) {
    const code = text.charCodeAt(i)
    if (isEnd(code)) return i
    if (code === 40) {
      depth += 1
      if (depth > maxDepth) return i
    } else if (code === 41) {
      if (depth === 0) return i
      depth -= 1
    }
  }
  return most
}
