/** Changes, suspends and removes an MCP server. Tested in servers.test.ts. */
import type { TenantScope, Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../../kernel/http/answer/etag.ts'
import type { Versioned } from '../../../../kernel/module/route.ts'
import { type Changes, change, type Held, hold, type Removed, remove } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import type { AuthFacts, McpServer, PatchServer, ServerRow } from '../declared/server-schema.ts'
import { serverResource, servers } from '../declared/tables.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { checkAddress } from './address.ts'
import { checkServer, pinOfNothing } from './check.ts'
import type { McpParts } from './parts.ts'
import { authOf, sealSecret } from './secret.ts'
import { serverView } from './view.ts'

export interface ServerChange {
  readonly id: string
  readonly input: PatchServer
  readonly precondition: Precondition
}

/**
 * A new address takes every approval back, because another server answers there, and needs the secret again.
 * @throws API-001, API-012, API-013, AEGIS-002, AEGIS-015
 */
export async function changeServer(
  parts: McpParts,
  scope: TenantScope,
  asked: ServerChange,
): Promise<Versioned<McpServer>> {
  const { kernel } = parts
  const { id, input } = asked
  const known = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => servers.need(tx, id))
  const next = await nextPlace(parts, scope, { known, input })
  const isElsewhere = next.url !== known.url
  await kernel.db.tenant(scope, async (tx) => {
    const held = await hold(tx, serverResource, asked)
    const changes = changesOf(held, input, { next, isElsewhere })
    await change(kernel, tx, held, {
      action: 'aegis.mcp_server.update',
      changes,
      before: withoutSecret(held.row),
      after: withoutSecret,
      ...(input.status_reason === undefined ? {} : { reason: input.status_reason }),
    })
    if (isElsewhere) await takeApprovalsBack(kernel.clock.iso(), tx, id)
  })
  const isOtherUpstream = isElsewhere || input.auth !== undefined || input.internal !== undefined
  if (isOtherUpstream || input.approve_server_pins === true)
    await checkServer(parts, scope, { id, always: true }).catch(unlessUpstream)
  return kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => serverView(tx, await servers.need(tx, id)))
}

function unlessUpstream(error: unknown): void {
  if (!(error instanceof UpstreamFault)) throw error
}

const withoutSecret = ({ secret: _secret, ...shown }: ServerRow) => shown

interface Place {
  readonly url: string
  readonly internal: boolean
  readonly auth: AuthFacts
  /** Undefined where the stored one stays. */
  readonly secret: Uint8Array | null | undefined
}

async function nextPlace(
  { kernel }: McpParts,
  { tenantId }: TenantScope,
  { known, input }: { readonly known: ServerRow; readonly input: PatchServer },
): Promise<Place> {
  const { url = known.url, internal = known.internal } = input
  const isMoved = input.url !== undefined || input.internal !== undefined
  if (isMoved) await checkAddress(kernel, { url, internal, pointer: '/url' })
  const isSameOrigin = new URL(url).origin === new URL(known.url).origin
  const auth = input.auth === undefined ? known.auth : authOf(input.auth, known.secret !== null && isSameOrigin)
  if (auth.token_url !== null && (input.auth !== undefined || isMoved))
    await checkAddress(kernel, { url: auth.token_url, internal, pointer: '/auth/token_url' })
  const given = input.auth?.secret
  if (given !== undefined)
    return {
      url,
      internal,
      auth,
      secret: await sealSecret(kernel, tenantId, { place: { id: known.id, url, auth }, value: given }),
    }
  if (auth.type === 'none') return { url, internal, auth, secret: null }
  const isSameTarget =
    (auth.token_url ?? url) === (known.auth.token_url ?? known.url) ||
    (auth.token_url === null && known.auth.token_url === null && isSameOrigin)
  if (!isSameTarget) {
    const detail = 'The credential was given for another address. Send auth with its secret again.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/auth/secret' }])
  }
  return { url, internal, auth, secret: undefined }
}

function changesOf(
  { row }: Held<ServerRow>,
  input: PatchServer,
  { next, isElsewhere }: { readonly next: Place; readonly isElsewhere: boolean },
): Changes<ServerRow> {
  const { timeouts, auth: _auth, approve_server_pins: approves, status, status_reason: reason, ...plain } = input
  const { url, internal, auth, secret } = next
  return {
    ...plain,
    ...{ url, internal, auth, secret },
    ...(timeouts === undefined ? {} : { timeouts: { ...row.timeouts, ...timeouts } }),
    ...(status === undefined ? {} : statusOf(row, status, reason ?? null)),
    ...(approves === true ? approvedPins(row) : {}),
    ...(isElsewhere
      ? { status: 'pending' as const, last_scan: null, era: 'unknown' as const, instructions: null }
      : {}),
  }
}

/** @throws AEGIS-002, API-001 */
function statusOf(row: ServerRow, status: 'active' | 'suspended', reason: string | null): Changes<ServerRow> {
  if (row.status === status) throw errors.illegalMove({ what: 'MCP server', status })
  // Active comes of itself with the first approved tool.
  if (row.status === 'pending' && status === 'active')
    throw errors.illegalMove({ what: 'MCP server', status: 'pending', to: status })
  if (status === 'suspended' && reason === null) {
    const detail = 'A suspension needs its reason.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/status_reason' }])
  }
  return { status, status_reason: reason }
}

/** The instructions themselves come with the check that follows, which finds them as they were approved. */
function approvedPins({ pins }: ServerRow): Changes<ServerRow> {
  const { candidate_instructions: candidate } = pins
  return {
    pins: {
      instructions: candidate === pinOfNothing ? null : (candidate ?? pins.instructions),
      server_info: pins.candidate_server_info ?? pins.server_info,
      candidate_instructions: null,
      candidate_server_info: null,
      prompts: pins.candidate_prompts ?? pins.prompts,
      resource_templates: pins.candidate_resource_templates ?? pins.resource_templates,
      candidate_prompts: null,
      candidate_resource_templates: null,
    },
  }
}

async function takeApprovalsBack(at: string, tx: Tx, serverId: string): Promise<void> {
  await tx.execute(sql`
    update aegis_mcp_tool set status = 'pending', version = version + 1, updated_at = ${at},
      candidate = coalesce(candidate, definition), candidate_sha256 = coalesce(candidate_sha256, pin_sha256),
      definition = null, pin_sha256 = null
    where server_id = ${serverId} and status <> 'denied'`)
}

export interface ServerRemoval {
  readonly id: string
  readonly force: boolean
  readonly precondition: Precondition
  readonly now: number
}

const recentMs = 30 * 60_000

const usedLately =
  'Agents used the MCP server in the last 30 minutes. Remove it with `force`, or wait until its sessions ended.'

/** Records of its calls stay. @throws API-012, API-013, AEGIS-014 */
export async function removeServer(tx: Tx, { id, force, precondition, now }: ServerRemoval): Promise<Removed> {
  const held = await hold(tx, serverResource, { id, precondition })
  const recent = new Date(now - recentMs).toISOString()
  const used = await tx.first(
    sql`select from aegis_mcp_call where server_id = ${id} and created_at > ${recent} limit 1`,
  )
  if (used !== null && !force) throw errors.inUse({ what: usedLately })
  return remove(tx, held, { action: 'aegis.mcp_server.delete', before: withoutSecret(held.row) })
}
