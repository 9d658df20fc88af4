/**
 * Creating, changing and deleting feature flags. Promises that a flag that was accepted can be evaluated, that flags
 * never need each other in a circle, and that nothing is deleted that another flag needs. Tested in flags.test.ts.
 */

import { isUuid } from '../../../kernel/base/uuid.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import {
  change,
  create,
  type Held,
  hold,
  newRow,
  type Removed,
  remove,
  resource,
} from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { flagChanged } from './events.ts'
import { judgeFlag, judgeReferences, type Surroundings } from './judge.ts'
import type { CreateFlag, FlagRow, PatchFlag } from './schemas/flags.ts'
import { flagsTopic, segmentsOf } from './store.ts'
import { flags } from './tables.ts'

export type FlagKernel = Pick<Kernel, 'clock' | 'random' | 'settings'>

export const flagResource = resource({
  table: flags,
  kind: 'feature_flag',
  name: ({ key }) => key,
  announces: flagsTopic,
  unique: { admin_flag_key: ({ key }) => apiErrors.conflict({ what: `There is a flag ${key} already.` }) },
})

/** By its key, or by its id, which no key looks like. @throws API-013 */
export async function needFlag(tx: Tx, keyOrId: string): Promise<FlagRow> {
  const row = await tx.first(sql<FlagRow>`select ${flags.columns} from admin_flag where ${byName(keyOrId)}`)
  if (row === null) throw apiErrors.notFound({ what: flags.noun })
  return row
}

function byName(keyOrId: string): SqlPart {
  return isUuid(keyOrId) ? sql`id = ${keyOrId}` : sql`key = ${keyOrId}`
}

/** @throws API-001, API-011 for a key that is taken, ADM-004, ADM-005 */
export async function createFlag(kernel: FlagKernel, tx: Tx, input: CreateFlag): Promise<FlagRow> {
  const row = newFlag(kernel, tx, input)
  await lockFlags(tx)
  judgeFlag(row)
  judgeReferences(row, await surroundings(kernel, tx))
  await create(tx, flagResource, row, { action: 'admin.flag.create' })
  await tell(tx, row, 'created')
  return row
}

/** One change of flags at a time in a tenant: two at once could close a circle that neither sees. */
export function lockFlags(tx: Tx): Promise<void> {
  return tx.lock('admin_flag', tx.tenantId)
}

export function newFlag(kernel: FlagKernel, tx: Pick<Tx, 'tenantId'>, input: CreateFlag): FlagRow {
  const { key, value_type, variants, default_variant, off_variant } = input
  const required = { key, value_type, variants, default_variant, off_variant }
  const missing = Object.entries(required).filter(([, value]) => value === undefined)
  if (
    key === undefined ||
    value_type === undefined ||
    variants === undefined ||
    default_variant === undefined ||
    off_variant === undefined
  )
    throw incomplete(missing.map(([name]) => name))
  if (isUuid(key))
    throw errors
      .flagInvalid({ what: 'A key must not look like an id.' })
      .at([{ detail: 'This looks like an id.', pointer: '/key' }])
  return {
    ...newRow(kernel, tx),
    ...{ key, value_type, variants, default_variant, off_variant },
    status: input.status ?? 'draft',
    rules: input.rules ?? [],
    prerequisites: input.prerequisites ?? [],
    overrides: input.overrides ?? [],
    hash_mode: input.hash_mode ?? 'fine',
    name: input.name ?? null,
    description: input.description ?? null,
    owner: input.owner ?? null,
    tags: input.tags ?? [],
    schedule: input.schedule ?? [],
    client_exposed: input.client_exposed ?? false,
    expires_at: input.expires_at ?? null,
  }
}

function incomplete(names: readonly string[]) {
  return apiErrors
    .validation({ what: 'A flag needs more than that; an import stands alone.' })
    .at(names.map((name) => ({ detail: 'This field is required.', pointer: `/${name}` })))
}

export async function surroundings({ settings }: Pick<Kernel, 'settings'>, tx: Tx): Promise<Surroundings> {
  const rows = await tx.query(
    sql<Pick<FlagRow, 'key' | 'prerequisites'>>`select key, prerequisites from admin_flag where status <> 'archived'`,
  )
  return {
    prerequisites: new Map(rows.map(({ key, prerequisites }) => [key, prerequisites.map(({ flag }) => flag)])),
    segments: new Set(Object.keys(segmentsOf(settings, tx.tenantId))),
  }
}

const moves: Readonly<Record<FlagRow['status'], readonly FlagRow['status'][]>> = {
  draft: ['enabled'],
  enabled: ['disabled'],
  disabled: ['enabled', 'archived'],
  archived: ['enabled'],
}

export function mayBecome(before: FlagRow['status'], after: FlagRow['status']): boolean {
  return before === after || moves[before].includes(after)
}

export interface PatchRequest {
  readonly name: string
  readonly input: PatchFlag
  readonly precondition: Precondition
}

export interface PlannedPatch {
  readonly held: Held<FlagRow>
  readonly changes: Omit<PatchFlag, 'dry_run'>
  readonly after: FlagRow
}

/** The flag after the patch; it stays locked. @throws API-012, API-013, ADM-004, ADM-005, ADM-006 */
export async function planPatch(kernel: FlagKernel, tx: Tx, request: PatchRequest): Promise<PlannedPatch> {
  await lockFlags(tx)
  const held = await hold(tx, flagResource, { id: byName(request.name), precondition: request.precondition })
  const before = held.row
  const { dry_run: _tried, ...changes } = request.input
  const after: FlagRow = { ...before, ...changes, updated_at: kernel.clock.iso() }
  if (!mayBecome(before.status, after.status))
    throw errors.flagState({ what: `A flag that is ${before.status} cannot become ${after.status}.` })
  judgeFlag(after)
  if (after.status !== 'archived') judgeReferences(after, await surroundings(kernel, tx))
  else await refuseNeeded(tx, before.key)
  return { held, changes, after }
}

async function refuseNeeded(tx: Tx, key: string): Promise<void> {
  const needing = await tx.first(
    sql<{ key: string }>`
      select key from admin_flag
      where status <> 'archived' and prerequisites @> jsonb_build_array(jsonb_build_object('flag', ${key}::text))
      order by key limit 1`,
  )
  if (needing !== null) throw errors.flagState({ what: `The flag ${needing.key} needs this one.` })
}

export async function patchFlag(kernel: FlagKernel, tx: Tx, { held, changes }: PlannedPatch): Promise<FlagRow> {
  const row = await change(kernel, tx, held, { action: 'admin.flag.update', changes })
  await tell(tx, row, 'updated')
  return row
}

/** @throws API-012, API-013, ADM-006 */
export async function deleteFlag(tx: Tx, name: string, precondition: Precondition): Promise<Removed> {
  await lockFlags(tx)
  const held = await hold(tx, flagResource, { id: byName(name), precondition })
  const { row } = held
  if (row.status !== 'archived')
    throw errors.flagState({ what: `A flag that is ${row.status} cannot be deleted: archive it.` })
  await refuseNeeded(tx, row.key)
  const removed = await remove(tx, held, { action: 'admin.flag.delete' })
  await tell(tx, row, 'deleted')
  return removed
}

type Change = 'created' | 'updated' | 'scheduled' | 'deleted'

export async function tell(tx: Tx, { id, key, status }: FlagRow, change: Change): Promise<void> {
  await tx.emit(flagChanged, id, { flag_id: id, key, change, status })
}
