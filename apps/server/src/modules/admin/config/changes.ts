/**
 * Change-sets: many settings changed together or not at all, with comment, author and the values before. A rollback is
 * a change-set like any other, made of earlier values and judged by today's rules. Promises one order of all changes
 * and that a secret appears in no history but as a keyed digest. Tested in config.test.ts.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { json, sql } from '../../../kernel/db/sql.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { configChanged } from './events.ts'
import { judge } from './judge.ts'
import { announceMaintenance } from './maintenance-news.ts'
import type { ChangeOrigin } from './origin.ts'
import { plannedRollback } from './rollback.ts'
import type { ChangeEntry, ChangeScope } from './schemas.ts'
import { settingsTopic } from './store.ts'
import { type ConfigChangeRow, configChanges, type SettingRow, settingRows } from './tables.ts'

export type ChangeKernel = Pick<Kernel, 'settings' | 'clock' | 'random' | 'tenantKeys' | 'platformKeys'>

export interface ChangeRequest {
  readonly scope: ChangeScope
  /** Null takes the value of the layer away. */
  readonly values: Readonly<Record<string, unknown>>
  readonly rollbackTo: string | null
  readonly comment: string
  readonly dryRun: boolean
  readonly actor: Actor
  /** Of a change that is no rollback. */
  readonly origin: ChangeOrigin
  /** @throws API-012 */
  readonly precondition: Precondition
}

/** Effect of a change on one setting. */
export interface Step {
  readonly key: string
  readonly secret: boolean
  readonly before: SettingRow | null
  /** Undefined takes the value away. */
  readonly value: unknown
  /** A secret as it was stored before; used by rollbacks, which must not depend on reading it. */
  readonly sealed: Uint8Array | null
  readonly digest: string | null
}

/** @throws ADM-001, ADM-002, ADM-003, API-012, API-013 for an unknown change to go back to, AUTH-009 */
export async function applyChange(kernel: ChangeKernel, tx: Tx, request: ChangeRequest): Promise<ConfigChangeRow> {
  const heads = await lockHeads(tx)
  request.precondition.expectVersion(Math.max(heads.of(tx.tenantId), heads.of(platformTenant)))
  const rows = new Map((await tx.query(ownRows)).map((row) => [row.key, row]))
  const back = request.rollbackTo === null ? null : await plannedRollback(tx, request.rollbackTo)
  const values = back?.values ?? request.values
  judge(kernel.settings, {
    scope: request.scope,
    values,
    operator: request.actor.operator,
    own: (key) => plainValue(rows.get(key)),
    below: (definition) =>
      request.scope === 'platform' ? kernel.settings.below(definition) : kernel.settings.get(definition, null),
  })
  if (!request.dryRun) assertAllowed(kernel, request.actor, Object.keys(values))
  const steps = Object.keys(values).map((key) => stepOf(kernel, tx.tenantId, { key, rows, value: values[key], back }))
  const change = changeOf(kernel, tx, { request, steps, revision: heads.all + 1 })
  if (!request.dryRun) await store(kernel, tx, { request, steps, change, undone: back?.undone ?? [] })
  return change
}

const ownRows = sql<SettingRow>`select ${settingRows.columns} from admin_setting where is_set`

function plainValue(row: SettingRow | undefined): unknown {
  return row === undefined || row.sealed !== null ? undefined : row.value
}

/** From here on nobody else changes any setting until the transaction ends, so revisions follow commits. */
async function lockHeads(tx: Tx) {
  await tx.query(sql`select revision from admin_config_head where scope = 'all' for update`)
  const rows = await tx.query(
    sql<{ scope: string; revision: number }>`
      select scope, revision from admin_config_head where scope in ('all', ${tx.tenantId}, ${platformTenant}::text)`,
  )
  const of = (scope: string): number => rows.find((row) => row.scope === scope)?.revision ?? 0
  return { all: of('all'), of }
}

function assertAllowed({ settings, clock }: ChangeKernel, actor: Actor, keys: readonly string[]): void {
  if (keys.some((key) => settings.definitions.get(key)?.dangerous === true)) assertFresh(actor, clock)
}

interface StepInput {
  readonly key: string
  readonly rows: ReadonlyMap<string, SettingRow>
  readonly value: unknown
  readonly back: {
    readonly sealed: ReadonlyMap<string, { readonly sealed: Uint8Array; readonly digest: string }>
  } | null
}

function stepOf(kernel: ChangeKernel, tenantId: TenantId, { key, rows, value, back }: StepInput): Step {
  const secret = kernel.settings.definitions.get(key)?.secret ?? false
  const before = rows.get(key) ?? null
  const kept = back?.sealed.get(key) ?? null
  if (kept !== null) return { key, secret: true, before, value: undefined, ...kept }
  const digest =
    secret && value !== null && value !== undefined
      ? kernel.platformKeys.mac('setting-digest', json([tenantId, key, value]))
      : null
  return { key, secret, before, value: value ?? undefined, sealed: null, digest }
}

interface ChangeInput {
  readonly request: ChangeRequest
  readonly steps: readonly Step[]
  readonly revision: number
}

function changeOf({ clock, random }: ChangeKernel, tx: Tx, { request, steps, revision }: ChangeInput): ConfigChangeRow {
  return {
    tenant_id: tx.tenantId,
    id: random.uuid(),
    scope: request.scope,
    revision,
    comment: request.comment,
    author: request.actor.userId,
    origin: request.rollbackTo === null ? request.origin : 'rollback',
    keys: steps.map(({ key }) => key),
    entries: steps.map(entryOf),
    sealed_before: Object.fromEntries(
      steps.flatMap(({ key, before }) =>
        before === null || before.sealed === null ? [] : [[key, Buffer.from(before.sealed).toString('base64')]],
      ),
    ),
    rolled_back_by: null,
    created_at: clock.iso(),
  }
}

function entryOf({ key, secret, before, value, digest }: Step): ChangeEntry {
  if (secret) return { key, secret, before: digestOf(before?.digest ?? null), after: digestOf(digest) }
  return { key, secret, before: before?.value ?? null, after: value ?? null }
}

function digestOf(digest: string | null): { readonly digest: string } | null {
  return digest === null ? null : { digest }
}

interface Storing {
  readonly request: ChangeRequest
  readonly steps: readonly Step[]
  readonly change: ConfigChangeRow
  /** Changes that a rollback undoes. */
  readonly undone: readonly string[]
}

async function store(kernel: ChangeKernel, tx: Tx, { steps, change, undone, request }: Storing): Promise<void> {
  for (const step of steps) await write(kernel, tx, step, change)
  await configChanges.insert(tx, change)
  if (undone.length > 0)
    await tx.execute(
      sql`update admin_config_change set rolled_back_by = ${change.id} where id = any(${undone}::uuid[])`,
    )
  await tx.execute(sql`
    insert into admin_config_head (scope, revision) values ('all', ${change.revision}), (${tx.tenantId}, ${change.revision})
    on conflict (scope) do update set revision = excluded.revision`)
  await tx.announce(settingsTopic, tx.tenantId)
  await tx.audit('admin.config.update', {
    target: `config:${change.scope}`,
    before: sidesOf(change, 'before'),
    after: sidesOf(change, 'after'),
    reason: request.comment,
  })
  await tx.emit(configChanged, change.id, { change_id: change.id, scope: change.scope, keys: [...change.keys] })
  await announceMaintenance(tx, change)
}

function sidesOf({ entries }: ConfigChangeRow, side: 'before' | 'after'): Readonly<Record<string, unknown>> {
  return Object.fromEntries(entries.map((entry) => [entry.key, entry[side]]))
}

async function write(kernel: ChangeKernel, tx: Tx, step: Step, change: ConfigChangeRow): Promise<void> {
  const { key, secret, value, digest } = step
  const sealed = step.sealed ?? (secret && value !== undefined ? await seal(kernel, tx.tenantId, step) : null)
  const isSet = value !== undefined || sealed !== null
  await tx.execute(sql`
    insert into admin_setting (key, is_set, value, sealed, digest, revision, updated_by, updated_at)
    values (${key}, ${isSet}, ${secret || value === undefined ? null : json(value)}, ${sealed}, ${digest},
      ${change.revision}, ${change.author}, ${change.created_at})
    on conflict (tenant_id, key) do update set
      is_set = excluded.is_set, value = excluded.value, sealed = excluded.sealed, digest = excluded.digest,
      revision = excluded.revision, updated_by = excluded.updated_by, updated_at = excluded.updated_at`)
}

function seal({ tenantKeys }: ChangeKernel, tenantId: TenantId, { key, value }: Step): Promise<Uint8Array> {
  const address = { table: 'admin_setting', column: 'sealed', rowId: key }
  return tenantKeys.encrypt(tenantId, address, Buffer.from(json(value)))
}
