/**
 * The inventory of an upstream: its era, identity, instructions and tools. The era is found as the 2026-07-28 revision
 * tells dual-era clients to: a modern request first, and `initialize` where the answer is none that a modern server gives.
 * Tested in servers.test.ts.
 */
import { legacyVersions, modernVersion } from '../declared/words.ts'
import type { Definition } from '../pins/pin.ts'
import { type Members, objectOf, textOf } from '../wire/json-rpc.ts'
import { metaKeys } from '../wire/metadata.ts'
import { ask, type Conversation, closeSession, openSession, ownClient } from './ask.ts'
import type { UpstreamLink } from './exchange.ts'
import { UpstreamFault } from './fault.ts'
import type { UpstreamServer } from './server.ts'

export interface Inventory {
  readonly era: 'legacy' | 'modern'
  readonly version: string
  readonly serverInfo: Members
  readonly capabilities: Members
  readonly instructions: string | null
  readonly definitions: readonly Definition[]
  readonly prompts: readonly Definition[]
  /** Templates of resources. */
  readonly templates: readonly Definition[]
}

const modern: Conversation = { era: 'modern', version: modernVersion, sessionId: null }
/** Errors that only a server of the modern era answers. */
const modernErrors: ReadonlySet<unknown> = new Set([-32020, -32021, -32022])
const mostPages = 100
export const mostTools = 2_000

/** @throws UpstreamFault */
export async function takeInventory(link: UpstreamLink, server: UpstreamServer): Promise<Inventory> {
  const found = await ask(link, server, modern, { method: 'server/discover', params: {} }).catch((error: unknown) => {
    // An older server may answer with a page or break off; only one that is not there is no server.
    if (error instanceof UpstreamFault && error.kind === 'unreadable') return null
    throw error
  })
  const discovered = found?.result ?? null
  if (discovered !== null && Array.isArray(discovered.supportedVersions)) {
    if (discovered.supportedVersions.includes(modernVersion)) return modernInventory(link, server, discovered)
  } else if (modernErrors.has(found?.error?.code)) {
    throw new UpstreamFault('status', 'The MCP server speaks a newer revision that is not supported.')
  }
  return legacyInventory(link, server, found?.status ?? null)
}

async function modernInventory(link: UpstreamLink, server: UpstreamServer, discovered: Members): Promise<Inventory> {
  const capabilities = objectOf(discovered.capabilities)
  return {
    ...{ era: 'modern', version: modernVersion, capabilities },
    serverInfo: objectOf(objectOf(discovered._meta)[metaKeys.serverInfo] ?? discovered.serverInfo),
    instructions: textOf(discovered.instructions),
    ...(await listAll(link, server, { conversation: modern, capabilities })),
  }
}

async function legacyInventory(link: UpstreamLink, server: UpstreamServer, status: number | null): Promise<Inventory> {
  if (status === 401 || status === 403)
    throw new UpstreamFault('credential', `The MCP server refused the credential (${status}).`, {
      detail: String(status),
    })
  const opening = { version: legacyVersions[0], clientInfo: ownClient, capabilities: {} }
  const { conversation, result } = await openSession(link, server, opening)
  try {
    const capabilities = objectOf(result.capabilities)
    return {
      ...{ era: 'legacy', version: conversation.version, capabilities },
      serverInfo: objectOf(result.serverInfo),
      instructions: textOf(result.instructions),
      ...(await listAll(link, server, { conversation, capabilities })),
    }
  } finally {
    await closeSession(link, server, conversation)
  }
}

interface Listing {
  readonly conversation: Conversation
  readonly capabilities: Members
}

type Lists = Pick<Inventory, 'definitions' | 'prompts' | 'templates'>

async function listAll(
  link: UpstreamLink,
  server: UpstreamServer,
  { conversation, capabilities }: Listing,
): Promise<Lists> {
  return {
    definitions: await listTools(link, server, { conversation, capabilities }),
    prompts: capabilities.prompts === undefined ? [] : await listOthers(link, server, { conversation, ...promptList }),
    templates:
      capabilities.resources === undefined ? [] : await listOthers(link, server, { conversation, ...templateList }),
  }
}

const promptList = { method: 'prompts/list', member: 'prompts' } as const
const templateList = { method: 'resources/templates/list', member: 'resourceTemplates' } as const
export const mostOthers = 1_000

interface OtherListing {
  readonly conversation: Conversation
  readonly method: string
  readonly member: string
}

/** A server that has no such list has nothing in it. @throws UpstreamFault */
async function listOthers(
  link: UpstreamLink,
  server: UpstreamServer,
  { conversation, method, member }: OtherListing,
): Promise<readonly Definition[]> {
  const found: Definition[] = []
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const params: Members = cursor === null ? {} : { cursor }
    const { result } = await ask(link, server, conversation, { method, params })
    const items = result?.[member]
    if (!Array.isArray(items)) return found
    found.push(...items.map(objectOf))
    const next = textOf(result?.nextCursor)
    if (found.length > mostOthers || next === null || next === cursor) return found.slice(0, mostOthers)
    cursor = next
  }
  return found
}

/** All pages. @throws UpstreamFault */
async function listTools(
  link: UpstreamLink,
  server: UpstreamServer,
  { conversation, capabilities }: Listing,
): Promise<readonly Definition[]> {
  if (capabilities.tools === undefined) return []
  const found: Definition[] = []
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const params: Members = cursor === null ? {} : { cursor }
    const { result, status } = await ask(link, server, conversation, { method: 'tools/list', params })
    if (result === null || !Array.isArray(result.tools))
      throw new UpstreamFault('status', `The MCP server did not list its tools (${status}).`, {
        detail: String(status),
      })
    found.push(...result.tools.map(objectOf))
    const next = textOf(result.nextCursor)
    if (found.length > mostTools)
      throw new UpstreamFault('too_large', `The MCP server lists more than ${mostTools} tools.`)
    if (next === null || next === cursor) return found
    cursor = next
  }
  throw new UpstreamFault('too_large', `The list of the MCP server's tools has more than ${mostPages} pages.`)
}
