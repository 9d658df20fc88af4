/** The server that stands for all servers of an agent, and whether a server can be called. Tested in bridge.test.ts. */
import type { AgentRow } from '../../agents/schema.ts'
import { matchesWildcard } from '../../agents/wildcard.ts'
import type { LiveServer } from '../call/types.ts'
import { defaultTimeouts, type ServerRow } from '../declared/server-schema.ts'
import { modernVersion } from '../declared/words.ts'
import { noPins } from '../servers/identity.ts'
import { noAuth } from '../servers/secret.ts'
import type { Snapshot } from './snapshot.ts'

export const joinedSlug = '_all'
const nobody = '00000000-0000-0000-0000-000000000000'

/** The servers that a tool of the agent's declaration may be on. */
export function serversOf({ servers }: Snapshot, { tools }: AgentRow): ReadonlyMap<string, LiveServer> {
  return new Map(
    [...servers].filter(([slug]) => tools.some(({ server_slug: pattern }) => matchesWildcard(pattern, slug))),
  )
}

/** Stands for all of them. It is answered here and never called. */
export function joinedServer(tenantId: string): LiveServer {
  const at = new Date(0).toISOString()
  const row: ServerRow = {
    ...{
      id: nobody,
      tenant_id: tenantId,
      created_at: at,
      updated_at: at,
      version: 1,
      slug: joinedSlug,
      name: 'All servers',
    },
    ...{ transport: 'streamable_http', url: 'https://localhost/', internal: false, auth: noAuth, secret: null },
    ...{
      trust: 'untrusted',
      default_action: 'deny',
      labels: [],
      rate_limit: null,
      timeouts: defaultTimeouts,
      recheck_seconds: 300,
    },
    ...{
      era: 'modern',
      protocol_version: modernVersion,
      server_info: null,
      capabilities: { tools: {} },
      instructions: null,
    },
    pins: noPins,
    ...{
      last_scan: null,
      checked_at: null,
      next_check_at: null,
      last_error: null,
      status: 'active',
      status_reason: null,
    },
  }
  const upstream = { id: nobody, url: row.url, internal: false, timeouts: defaultTimeouts, auth: noAuth, secret: null }
  return { row, upstream, tools: new Map(), approved: [], instructions: null }
}

/** Why a server cannot be called; null where it can. */
export function isServed({ row }: LiveServer): 'suspended' | 'unchecked' | null {
  if (row.status === 'suspended') return 'suspended'
  return row.era === 'unknown' ? 'unchecked' : null
}
