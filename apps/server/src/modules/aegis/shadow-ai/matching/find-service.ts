/**
 * Says which AI service an access was to: an entry of the catalog, an MCP server, or an AI-looking host that no entry
 * describes. Null for everything else. Pure; tested in matching.test.ts.
 */
import { getDomain } from 'tldts'
import { entryOf, type HostIndex, type Matchable } from './host-index.ts'
import { isAddress } from './host-name.ts'

export type ServiceType = 'ai_service' | 'mcp_server'

export interface FoundService {
  /** Identifies one service in one tenant: the slug, or the distinguishing part of an unknown service. */
  readonly key: string
  readonly type: ServiceType
  readonly slug: string | null
  readonly name: string
}

export interface Access {
  /** In the spelling of `hostName`. */
  readonly host: string
  readonly port: number
  readonly path: string
}

export function findService(index: HostIndex, access: Access): FoundService | null {
  const { host, path } = access
  const entry = entryOf(index, host, path)
  if (entry !== null && (entry.category === 'mcp_server' || index.exact.get(host) === entry)) return ofEntry(entry)
  const server = mcpServerOf(access)
  if (server !== null) return server
  if (entry !== null) return ofEntry(entry)
  return unknownService(access)
}

const ofEntry = ({ slug, name, category }: Matchable): FoundService => ({
  key: slug,
  type: category === 'mcp_server' ? 'mcp_server' : 'ai_service',
  slug,
  name,
})

/** Paths at which servers of the Model Context Protocol listen by convention. */
const mcpPath = /^(?:\/(?:[^/]+\/){0,3}mcp(?:\/sse)?|\/sse)\/?$/
const npmHosts: ReadonlySet<string> = new Set(['registry.npmjs.org', 'registry.yarnpkg.com', 'registry.npmmirror.com'])
const pythonHosts: ReadonlySet<string> = new Set(['pypi.org', 'files.pythonhosted.org'])
const npmPackage =
  /^\/(@modelcontextprotocol(?:\/|%2f)server-[a-z0-9-]+|@[a-z0-9-]+(?:\/|%2f)mcp(?:-server)?|mcp-server-[a-z0-9-]+)(?:\/|$)/i
const pythonPackage = /\/(mcp[-_]server[-_][a-z0-9_-]+?)(?:\/|-\d|$)/i

/** A host named so, a path of the protocol, or a package of a server fetched from a registry. */
function mcpServerOf({ host, path }: Access): FoundService | null {
  const fetched = packageOf(host, path)
  if (fetched !== null) return mcpServer(`package:${fetched}`, fetched)
  const isNamed = host.startsWith('mcp.') && host.indexOf('.', 4) !== -1
  return isNamed || (path.length > 3 && mcpPath.test(path)) ? mcpServer(`mcp:${host}`, host) : null
}

const mcpServer = (key: string, name: string): FoundService => ({ key, type: 'mcp_server', slug: null, name })

function packageOf(host: string, path: string): string | null {
  const pattern = npmHosts.has(host) ? npmPackage : pythonHosts.has(host) ? pythonPackage : null
  const name = pattern?.exec(path)?.[1]
  return name === undefined ? null : name.toLowerCase().replace('%2f', '/').replaceAll('_', '-').slice(0, 200)
}

/** Paths of the chat, message and embedding calls that most model servers share. */
const modelPath =
  /^\/(?:[^/]+\/){0,3}v1\/(?:chat\/completions|completions|embeddings|messages|responses)$|^\/api\/(?:generate|chat|embeddings?)$/
const modelName = /(?:^|[.-])(?:gpt|chatgpt|llm|llms|openai|ollama|vllm|copilot|chatbot|aichat|genai)(?:[.-]|$)/
/** Where Ollama listens unless told otherwise. */
const ollamaPort = 11_434
const modelPathOfAnyApp = /^\/api\/(?:generate|chat|embeddings?)$/

function unknownService({ host, port, path }: Access): FoundService | null {
  const isModelCall = path.length > 8 && modelPath.test(path) && (!modelPathOfAnyApp.test(path) || port === ollamaPort)
  if (!isModelCall && port !== ollamaPort && !modelName.test(host)) return null
  const name = isAddress(host) ? host : (getDomain(host, { allowPrivateDomains: true }) ?? host)
  return { key: `host:${name}`, type: 'ai_service', slug: null, name }
}
