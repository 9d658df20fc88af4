/**
 * Invariants after any number of kills: nothing acknowledged is missing and nothing happened twice, the audit chain
 * is whole, and the event log has no hole. Reads the database beside the API and the kernel's own verifier; it repairs
 * nothing, except that it waits the minute until a dead process's leases expire. Tested by crash.test.ts.
 */
import { expect } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { concerns } from '../../src/kernel/events/handlers/handlers.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { modules } from '../../src/modules.ts'
import type { Acknowledged, Action, CrashClient } from './client.ts'

export interface Evidence {
  readonly kernel: Kernel
  readonly clients: readonly CrashClient[]
  readonly ledger: readonly Acknowledged[]
}

const patience = { timeout: 90_000, interval: 100 }

export async function expectInvariants(evidence: Evidence): Promise<void> {
  await expectSettled(evidence.kernel)
  await expectResources(evidence)
  await expectAudit(evidence)
  await expectEvents(evidence)
  await expectChats(evidence)
}

function system<Row>(kernel: Kernel, statement: Sql<Row>): Promise<readonly Row[]> {
  return kernel.db.system('crash suite', (tx) => tx.query(statement))
}

const handled = modules.flatMap((module) => module.handles)

/** The new process takes up all that the old one left: the outbox, unsealed entries, unhandled events, jobs. */
export async function expectSettled(kernel: Kernel): Promise<void> {
  await kernel.db.system('crash suite', async (tx) => {
    await tx.execute(sql`update handler_position set lease_until = clock_timestamp() - interval '1 second'`)
    await tx.execute(sql`
      update job set lease_until = clock_timestamp() - interval '1 second'
      where status = 'running' and lease_owner <> ${kernel.node}`)
  })
  const open = async () => {
    const [row] = await system(
      kernel,
      sql<{ outbox: number; unsealed: number; backlog: number; jobs: number }>`
      select (select count(*)::int from outbox) as outbox, (select count(*)::int from audit_pending) as unsealed,
        (select count(*)::int from handler_backlog) as backlog,
        (select count(*)::int from job
          where status = 'running' or (status = 'waiting' and run_at <= clock_timestamp())) as jobs`,
    )
    return { ...row, unhandled: await countUnhandled(kernel) }
  }
  await expect.poll(open, patience).toEqual({ outbox: 0, unsealed: 0, backlog: 0, jobs: 0, unhandled: 0 })
}

async function countUnhandled(kernel: Kernel): Promise<number> {
  const counts = await Promise.all(
    handled.map((handler) =>
      system(
        kernel,
        sql<{ count: number }>`
        select count(*)::int as count from event_log event
        where ${concerns(handler)} and not exists (
          select from handled_through h
          where h.tenant_id = event.tenant_id and h.handler = ${handler.name} and h.position >= event.position)`,
      ),
    ),
  )
  return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0)
}

const of = (ledger: readonly Acknowledged[], action: Action): readonly Acknowledged[] =>
  ledger.filter((entry) => entry.action === action)

const tenantsOf = (ledger: readonly Acknowledged[]): readonly TenantId[] =>
  [...new Set(ledger.map(({ tenantId }) => tenantId))] as TenantId[]

const sorted = (ids: Iterable<string>): readonly string[] => [...ids].sort()

/** Exactly what was acknowledged exists: every call was repeated until it was answered. */
async function expectResources({ kernel, clients, ledger }: Evidence): Promise<void> {
  const read = async <Row>(statement: Sql<Row>): Promise<readonly Row[]> =>
    (await Promise.all(tenantsOf(ledger).map((tenantId) => kernel.db.read(tenantId, statement)))).flat()
  const users = await read(sql<{ id: string; display_name: string }>`
    select id, display_name from iam_user where type = 'service'`)
  const known = clients.flatMap((client) => client.users)
  expect(sorted(users.map(({ id, display_name }) => `${id} ${display_name}`))).toEqual(
    sorted(known.map(({ id, name }) => `${id} ${name}`)),
  )
  const keys = await read(
    sql<{ id: string; revoked: boolean }>`select id, revoked_at is not null as revoked from iam_api_key`,
  )
  expect(sorted(keys.map(({ id }) => id))).toEqual(sorted(clients.flatMap((client) => client.keys)))
  expect(sorted(keys.filter(({ revoked }) => revoked).map(({ id }) => id))).toEqual(
    sorted(clients.flatMap((client) => [...client.revoked])),
  )
}

const auditActions: Readonly<Record<Action, string>> = {
  user: 'iam.user.create',
  change: 'iam.user.change',
  api_key: 'iam.api_key.create',
  revocation: 'iam.api_key.revoke',
  chat: 'gateway.request',
}

/** One entry per acknowledged call, each creation once, and every tenant's chain whole with every entry in it. */
async function expectAudit({ kernel, ledger }: Evidence): Promise<void> {
  const entries = await system(
    kernel,
    sql<{ action: string; request_id: string; target: string }>`
    select action, request_id, target from audit_entry where request_id is not null`,
  )
  const counts = new Map<string, number>()
  for (const { action, request_id } of entries) {
    const place = `${action} ${request_id}`
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  const wrong = ledger
    .map(({ action, requestId }) => `${auditActions[action]} ${requestId}`)
    .filter((place) => counts.get(place) !== 1)
  expect(wrong).toEqual([])
  for (const action of ['user', 'api_key'] as const) {
    const targets = entries.filter((entry) => entry.action === auditActions[action]).map(({ target }) => target)
    expect(sorted(targets)).toEqual(sorted(of(ledger, action).map(({ data }) => `${action}:${data.id}`)))
  }
  for (const tenantId of tenantsOf(ledger)) {
    const [sizes] = await system(
      kernel,
      sql<{ entries: number }>`
      select count(*)::int as entries from audit_entry where tenant_id = ${tenantId}`,
    )
    expect(await kernel.chain.verify(tenantId)).toMatchObject({ verified: true, reason: null, entries: sizes?.entries })
  }
}

interface LoggedRow {
  readonly tenant_id: string
  readonly channel: string
  readonly position: number
  readonly sequence: number
  readonly made: string | null
}

/** Positions and sequences without a hole, one event per creation, and each client's creations in its own order. */
async function expectEvents({ kernel, clients, ledger }: Evidence): Promise<void> {
  const log = await system(
    kernel,
    sql<LoggedRow>`
    select tenant_id, channel, position, sequence, coalesce(data->>'api_key_id', data->>'user_id') as made
    from event_log order by position`,
  )
  const [head] = await system(kernel, sql<{ position: number }>`select position from event_head`)
  expect(head?.position).toBe(log.length)
  expect(log.findIndex(({ position }, index) => position !== index + 1)).toBe(-1)
  await expectSequences(kernel, log)
  const positionsOf = (channel: string): Map<string, number> =>
    new Map(log.filter((event) => event.channel === channel).map(({ made, position }) => [made ?? '', position]))
  const keys = positionsOf('iam.api_key.created')
  expect(sorted(keys.keys())).toEqual(sorted(of(ledger, 'api_key').map(({ data }) => data.id)))
  expect(log.filter(({ channel }) => channel === 'iam.api_key.created')).toHaveLength(keys.size)
  for (const client of clients) {
    const order = client.keys.map((id) => keys.get(id) ?? 0)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  }
}

async function expectSequences(kernel: Kernel, log: readonly LoggedRow[]): Promise<void> {
  const reached = new Map<string, number>()
  const jumps = log.filter(({ tenant_id, channel, sequence }) => {
    const place = `${tenant_id} ${channel}`
    const jump = sequence !== (reached.get(place) ?? 0) + 1
    reached.set(place, sequence)
    return jump
  })
  expect(jumps).toEqual([])
  const positions = await system(
    kernel,
    sql<{ place: string; sequence: number }>`
    select tenant_id || ' ' || channel as place, sequence from event_position`,
  )
  expect(new Map(positions.map(({ place, sequence }) => [place, sequence]))).toEqual(reached)
}

/** Every answered model call has its row, which names its audit entry, and its event. */
async function expectChats({ kernel, ledger }: Evidence): Promise<void> {
  for (const tenantId of tenantsOf(ledger)) {
    const chats = of(ledger, 'chat').filter((entry) => entry.tenantId === tenantId)
    if (chats.length === 0) continue
    const rows = await kernel.db.read(
      tenantId,
      sql<{ id: string; request_id: string; audit_id: string }>`
        select id, request_id, audit_id from gateway_request where status = 'completed'`,
    )
    const found = new Map(rows.map((row) => [row.id, row]))
    const missing = chats.filter(({ data, requestId }) => found.get(data.id)?.request_id !== requestId)
    expect(missing).toEqual([])
    const [told] = await kernel.db.read(
      tenantId,
      sql<{ complete: boolean }>`
        select not exists (
          select from gateway_request r
          where status = 'completed' and (not exists (select from audit_entry a where a.id = r.audit_id)
            or not exists (select from event_log e where e.channel = 'gateway.request.completed' and e.data->>'log_id' = r.id::text))
        ) as complete`,
    )
    expect(told).toEqual({ complete: true })
  }
}
