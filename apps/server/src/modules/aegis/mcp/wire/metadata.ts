/**
 * The revision a message is of, and whether its headers say the same as its body. A body is the source of truth; a header
 * that says something else is refused, because others route by it. Pure. Tested in wire.test.ts.
 */
import { legacyVersions, modernVersion } from '../declared/words.ts'
import { type Members, objectOf, textOf } from './json-rpc.ts'

export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const

export type HeaderOf = (name: string) => string | undefined

export interface MessageFacts {
  readonly era: 'legacy' | 'modern'
  /** The revision that the message names; null where a legacy one names none. */
  readonly version: string | null
  readonly clientInfo: Members | null
  readonly capabilities: Members
  readonly meta: Members
}

export type ReadFacts = MessageFacts | { readonly mismatch: string } | { readonly unsupported: string }

const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** Reads the revision of a message and holds its headers against its body. */
export function readFacts(message: Members, header: HeaderOf): ReadFacts {
  const params = objectOf(message.params)
  const meta = objectOf(params._meta)
  const told = textOf(meta[metaKeys.version])
  const headed = header('mcp-protocol-version') ?? null
  if (told === null && (headed === null || (headed !== modernVersion && headed < modernVersion)))
    return legacyFacts(message, { headed, meta })
  if (told === null) return { mismatch: `MCP-Protocol-Version is ${headed}, and _meta names no version` }
  if (headed !== told) return { mismatch: 'MCP-Protocol-Version is not the version in _meta' }
  if (told !== modernVersion) return { unsupported: told }
  const wrong = brokenHeader(message, header)
  if (wrong !== null) return { mismatch: wrong }
  const info = meta[metaKeys.clientInfo]
  return {
    ...{ era: 'modern', version: told, meta },
    clientInfo: info === undefined ? null : objectOf(info),
    capabilities: objectOf(meta[metaKeys.capabilities]),
  }
}

function legacyFacts(
  message: Members,
  { headed, meta }: { readonly headed: string | null; readonly meta: Members },
): ReadFacts {
  if (headed !== null && !(legacyVersions as readonly string[]).includes(headed)) return { unsupported: headed }
  const isOpening = message.method === 'initialize'
  const params = objectOf(message.params)
  return {
    ...{ era: 'legacy', version: headed, meta },
    clientInfo: isOpening ? objectOf(params.clientInfo) : null,
    capabilities: isOpening ? objectOf(params.capabilities) : {},
  }
}

function brokenHeader(message: Members, header: HeaderOf): string | null {
  const { method } = message
  if (typeof method !== 'string') return null
  if (header('mcp-method') !== method) return 'Mcp-Method is missing or is not the method of the body'
  const member = named[method]
  if (member === undefined) return null
  const value = objectOf(message.params)[member]
  const sent = header('mcp-name')
  if (sent === undefined || decoded(sent) !== value) return `Mcp-Name is missing or is not params.${member}`
  return null
}

const sentinel = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** A header value, undone where it is in the Base64 form. */
export function decoded(value: string): string {
  const [, text] = sentinel.exec(value) ?? []
  return text === undefined ? value : Buffer.from(text, 'base64').toString('utf8')
}

/** A value as a header carries it: as it is where it is plain ASCII, else in the Base64 form. */
export function encoded(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !sentinel.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}

/** Headers that a modern message mirrors. */
export function mirrored(message: Members): Record<string, string> {
  const method = textOf(message.method) ?? ''
  const member = named[method]
  const value = member === undefined ? undefined : objectOf(message.params)[member]
  return {
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...(typeof value === 'string' ? { 'mcp-name': encoded(value) } : {}),
  }
}

/** Arguments that a tool's schema wants in headers too (`x-mcp-header`), as `Mcp-Param-*`; at most 32. */
export function parameterHeaders(schema: unknown, args: Members): Record<string, string> {
  const found: Record<string, string> = {}
  const walk = (node: unknown, value: unknown): void => {
    for (const [name, property] of Object.entries(objectOf(objectOf(node).properties))) {
      const inner = objectOf(value)[name]
      const wanted = objectOf(property)['x-mcp-header']
      const isPlain = typeof inner === 'string' || typeof inner === 'boolean' || Number.isSafeInteger(inner)
      if (typeof wanted === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(wanted) && isPlain)
        found[`mcp-param-${wanted.toLowerCase()}`] = encoded(String(inner))
      if (Object.keys(found).length < 32) walk(property, inner)
    }
  }
  walk(schema, args)
  return found
}
