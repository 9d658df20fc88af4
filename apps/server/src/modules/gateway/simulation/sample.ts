/**
 * Calls of the log to try a policy on, newest first. Promises pages, so that neither the content of ten thousand calls nor
 * a database connection is held at once. Tested in simulation.test.ts.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AnswerEvent } from '../call/call.ts'
import type { Provider, Target } from '../providers/provider.ts'
import { openPayload } from '../records/payload.ts'
import { wantedOf } from '../request-log/requests-filter.ts'
import type { Payload, RequestRow } from '../schemas/request.ts'
import { requests } from '../schemas/tables.ts'
import type { SimulatedCall } from './dry-run.ts'
import { mostSampled, type NewSimulation } from './schema.ts'

type Sample = Exclude<NewSimulation['sample'], undefined>

/** A call that ended before its content was read says nothing about a policy. */
const judgedStatuses = ['completed', 'blocked', 'incomplete', 'client_closed', 'failed']

export async function sampledIds(tx: Tx, { from, to, limit = 1_000, filter = {} }: Sample): Promise<readonly string[]> {
  const asked = { ...filter, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  const rows = await tx.query(
    sql<{ id: string }>`
      select id from gateway_request
      where ${wantedOf(asked)} and status = any (${judgedStatuses}::text[])
      order by created_at desc, id desc
      limit ${Math.min(limit, mostSampled)}`,
  )
  return rows.map(({ id }) => id)
}

export interface Logged {
  readonly call: SimulatedCall
  readonly before: RequestRow
}

export interface Page {
  readonly logged: readonly Logged[]
  readonly notKept: number
}

interface SampleParts {
  readonly kernel: Kernel
  readonly scope: TenantScope
  readonly providers: readonly Provider[]
}

type PagedRow = RequestRow & { readonly sealed: Uint8Array | null }

export async function loadPage(parts: SampleParts, ids: readonly string[]): Promise<Page> {
  const { kernel, scope } = parts
  const rows = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) =>
    tx.query(
      sql<PagedRow>`
        select ${requests.columns},
          (select p.sealed from gateway_request_payload p
            where p.id = gateway_request.id and p.expires_at > now()) as sealed
        from gateway_request where id = any (${ids}::uuid[])
        order by created_at desc, id desc`,
    ),
  )
  const logged = await Promise.all(rows.map((row) => openRow(parts, row)))
  const kept = logged.flatMap((one) => (one === null ? [] : [one]))
  return { logged: kept, notKept: rows.length - kept.length }
}

/** Null when its content was not kept, or only its words. */
async function openRow({ kernel, scope, providers }: SampleParts, row: PagedRow): Promise<Logged | null> {
  const { sealed, ...before } = row
  if (sealed === null) return null
  const { payload, kept } = await openPayload(kernel.tenantKeys, scope.tenantId, { id: row.id, sealed })
  if (kept === null) return null
  const call: SimulatedCall = {
    id: row.id,
    call: kept.call,
    answer: answerEvents(payload.answer),
    asked: {
      operation: row.operation,
      dialect: row.dialect,
      provider: row.provider,
      model: row.requested_model,
      stream: row.stream,
      tags: row.tags,
    },
    actor: actorOf(row, scope.tenantId),
    targets: targetsOf(row, providers),
    at: row.created_at,
    kept: true,
  }
  return { call, before }
}

/** Null for a call without an answer. */
function answerEvents(answer: Payload['answer']): readonly AnswerEvent[] | null {
  if (answer.length === 0) return null
  return answer.flatMap(({ index: choice, text, tool_calls: calls }): AnswerEvent[] => [
    ...(text === '' ? [] : [{ type: 'text', choice, channel: 'text', text } as const]),
    ...calls.flatMap((call, index): AnswerEvent[] => [
      { type: 'tool_call', choice, index, id: '', name: call.name },
      { type: 'tool_arguments', choice, index, text: call.arguments },
    ]),
    { type: 'finish', choice, reason: 'stop' },
  ])
}

/** The caller as the log knows it; its roles are looked up later, and its permissions do not matter here. */
function actorOf(row: RequestRow, tenantId: TenantId): Actor {
  return {
    kind: row.key_id === null ? 'user' : 'api_key',
    userId: row.user_id,
    tenantId,
    homeTenantId: tenantId,
    role: '',
    roles: [],
    permissions: 0 as Actor['permissions'],
    operator: false,
    sessionId: row.session_id,
    keyId: row.key_id,
    ...(row.agent_id !== null && { agentId: row.agent_id }),
    authTime: null,
    amr: [],
    rateLimitPerMinute: null,
    tenantRequestsPerMinute: null,
    tenantStatus: 'active',
  }
}

/**
 * The target that answered then, without its keys. Of a deleted provider nothing is known, so no bound is applied to
 * it.
 */
function targetsOf({ provider: name, model }: RequestRow, providers: readonly Provider[]): readonly Target[] {
  const known = providers.find((provider) => provider.name === name)
  return known === undefined || model === null ? [] : [{ provider: withoutSecrets(known), model }]
}

export function withoutSecrets(provider: Provider): Provider {
  return { ...provider, secrets: [] }
}
