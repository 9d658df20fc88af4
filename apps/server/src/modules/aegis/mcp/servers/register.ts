/** Registers an MCP server: stored at once, and asked for its era and tools. Tested in servers.test.ts. */
import type { TenantScope } from '../../../../kernel/db/port.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Versioned } from '../../../../kernel/module/route.ts'
import { create, newRow } from '../../../../kernel/resource/resource.ts'
import { type CreateServer, defaultTimeouts, type McpServer, type ServerRow } from '../declared/server-schema.ts'
import { serverResource, servers } from '../declared/tables.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { checkAddress } from './address.ts'
import { checkServer } from './check.ts'
import { noPins } from './identity.ts'
import type { McpParts } from './parts.ts'
import { authOf, sealSecret } from './secret.ts'
import { serverView } from './view.ts'

/**
 * A server that does not answer is stored all the same, with the reason in `last_error`.
 * @throws API-001, AEGIS-003, AEGIS-015
 */
export async function registerServer(
  parts: McpParts,
  scope: TenantScope,
  input: CreateServer,
): Promise<Versioned<McpServer>> {
  const { kernel } = parts
  const row = await newServer(parts, scope, input)
  await kernel.db.tenant(scope, (tx) =>
    create(tx, serverResource, row, {
      action: 'aegis.mcp_server.create',
      after: ({ secret: _secret, ...shown }) => shown,
    }),
  )
  await checkServer(parts, scope, { id: row.id, always: true }).catch((error: unknown) => {
    if (!(error instanceof UpstreamFault)) throw error
  })
  return kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => serverView(tx, await servers.need(tx, row.id)))
}

async function newServer({ kernel }: McpParts, { tenantId }: TenantScope, input: CreateServer): Promise<ServerRow> {
  const { url, name } = placeOf(input)
  const { internal = false } = input
  await checkAddress(kernel, { url, internal, pointer: input.url === undefined ? '/server_json/remotes' : '/url' })
  const auth = authOf(input.auth, false)
  if (auth.token_url !== null) await checkAddress(kernel, { url: auth.token_url, internal, pointer: '/auth/token_url' })
  const base = newRow(kernel, { tenantId })
  const secret = input.auth?.secret
  return {
    ...base,
    ...{ slug: input.slug, name, transport: 'streamable_http', url, internal, auth },
    secret:
      secret === undefined
        ? null
        : await sealSecret(kernel, tenantId, { place: { id: base.id, url, auth }, value: secret }),
    ...{
      trust: input.trust ?? 'untrusted',
      default_action: input.default_action ?? 'deny',
      labels: input.labels ?? [],
    },
    rate_limit: input.rate_limit ?? null,
    timeouts: { ...defaultTimeouts, ...input.timeouts },
    recheck_seconds: input.recheck_seconds ?? 300,
    ...{ era: 'unknown', protocol_version: null, server_info: null, capabilities: null, instructions: null },
    pins: noPins,
    ...{ last_scan: null, checked_at: null, next_check_at: base.created_at, last_error: null },
    ...{ status: 'pending', status_reason: null },
  }
}

/** The address is given by itself or in the form of the MCP registry. @throws API-001 */
function placeOf({ url, name, slug, server_json: json }: CreateServer): {
  readonly url: string
  readonly name: string
} {
  if ((url === undefined) === (json === undefined))
    throw invalid('/url', 'A server is registered by its url or by its server_json, one of the two.')
  if (url !== undefined) return { url, name: name ?? slug }
  const remote = json?.remotes.find(({ type }) => type === 'streamable-http')
  if (remote === undefined) throw invalid('/server_json/remotes', 'None of the remotes is of the type streamable-http.')
  return { url: remote.url, name: name ?? json?.title ?? json?.name.slice(0, 120) ?? slug }
}

function invalid(pointer: string, detail: string) {
  return apiErrors.validation({ what: 'The MCP server is not valid.' }).at([{ detail, pointer }])
}
