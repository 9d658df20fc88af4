/**
 * Retention schedules and legal holds. An edition never changes; a new one takes its place, and what ends says why. A hold
 * is placed in the kernel's register in the same transaction, where every removing statement asks. Tested in
 * requests/requests.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { daysOf } from '../../../kernel/data-registry/durations.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { create, hold, newRow, resource, write } from '../../../kernel/resource/resource.ts'
import type { NewPolicy, PolicyRow } from '../declared/retention-schema.ts'
import { policies } from '../declared/retention-tables.ts'
import { errors } from '../errors/errors.ts'
import { holdChanged } from './events.ts'
import { findUsers } from './find-users.ts'
import { dataCategories, longestMinimum, purgeable } from './registry.ts'

export const policyResource = resource({ table: policies, kind: 'data_gov_policy' })
export const policyAction = 'data_gov.retention_policy.create'

export interface Policing {
  readonly actor: Actor
  readonly input: NewPolicy
}

/** @throws API-001, API-013, DGOV-004, DGOV-011, DGOV-015, DGOV-020 */
export function changePolicies(kernel: Kernel, tx: Tx, policing: Policing): Promise<PolicyRow> {
  return policing.input.status === undefined ? addPolicy(kernel, tx, policing) : endPolicy(kernel, tx, policing)
}

const required = (pointer: string) =>
  apiErrors
    .validation({ what: 'The policy lacks a part that its kind needs.' })
    .at([{ detail: 'This is required.', pointer }])

async function addPolicy(kernel: Kernel, tx: Tx, { actor, input }: Policing): Promise<PolicyRow> {
  const { kind, categories = [] } = input
  if (input.name === undefined) throw required('/name')
  if (input.ground === undefined) throw required('/ground')
  refuseUnknown(kernel, categories)
  const isHold = kind === 'legal_hold'
  if (isHold && input.matter === undefined) throw required('/matter')
  if (!isHold) refuseSchedule(kernel, input)
  const before = input.supersedes === undefined ? null : await supersede(kernel, tx, input.supersedes, kind)
  const placed = isHold ? await placeHold(kernel, tx, input) : null
  const now = kernel.clock.iso()
  const row: PolicyRow = {
    ...newRow(kernel, tx),
    ...{ kind, name: input.name, edition: (before?.edition ?? 0) + 1, supersedes: before?.id ?? null, categories },
    ...{ subjects: input.subject?.aliases.length ?? 0, matter: input.matter ?? null, minimum: input.minimum ?? null },
    ...{ maximum: input.maximum ?? null, method: isHold ? null : (input.method ?? 'delete'), ground: input.ground },
    ...{ status: 'active', effective_from: now, ended_at: null, reason: input.reason ?? null, last_run_at: null },
    ...{ next_run_at: isHold ? null : now, created_by: actor.userId, hold_id: placed },
  }
  await create(tx, policyResource, row, { action: policyAction, after: shownPolicy })
  if (isHold) await tx.emit(holdChanged, row.id, { policy_id: row.id, matter: row.matter ?? '', status: 'active' })
  return row
}

/** @throws DGOV-004 */
function refuseUnknown({ dataRegistry }: Kernel, categories: readonly string[]): void {
  const known = new Set(dataCategories(dataRegistry).map(({ category }) => category))
  const unknown = categories.findIndex((category) => !known.has(category))
  if (unknown >= 0)
    throw errors
      .unknownLabel({ what: `There is no data category "${categories[unknown]}". See \`include=registry\`.` })
      .at([{ detail: 'names no data category', pointer: `/categories/${unknown}` }])
}

/** @throws API-001, DGOV-011, DGOV-020 */
function refuseSchedule(kernel: Kernel, { categories = [], maximum, minimum, subject }: NewPolicy): void {
  if (categories.length === 0) throw required('/categories')
  if (maximum === undefined) throw required('/maximum')
  if (subject !== undefined)
    throw apiErrors
      .validation({ what: 'A schedule is about categories; people have requests and holds.' })
      .at([{ detail: 'is for legal holds', pointer: '/subject' }])
  if (daysOf(maximum) < 1)
    throw errors
      .policyConflict({ what: 'The maximum is shorter than a day.' })
      .at([{ detail: 'must be a day or more', pointer: '/maximum' }])
  if (minimum !== undefined && daysOf(minimum) > daysOf(maximum))
    throw errors
      .policyConflict({ what: `The minimum ${minimum} is longer than the maximum ${maximum}.` })
      .at([{ detail: 'is longer than the maximum', pointer: '/minimum' }])
  const least = longestMinimum(kernel.dataRegistry, categories)
  if (daysOf(maximum) < least)
    throw errors
      .belowMinimum({ what: `These categories are kept for ${least} days at least. Choose a longer maximum.` })
      .at([{ detail: `must be ${least} days or more`, pointer: '/maximum' }])
  if (purgeable(kernel, categories).length === 0)
    throw errors
      .policyConflict({
        what: 'No table of these categories has rows that may go by their age. See `include=registry` for those that have.',
      })
      .at([{ detail: 'has no rows that age', pointer: '/categories' }])
}

async function placeHold(
  kernel: Kernel,
  tx: Tx,
  { matter = '', categories = [], subject }: NewPolicy,
): Promise<string> {
  const values = (subject?.aliases ?? []).map(({ value }) => value)
  const person =
    subject === undefined ? {} : { subject: { userIds: (await findUsers(kernel, tx, values)).ids, aliases: values } }
  return (await kernel.dataRegistry.holds.place(tx, { matter, categories, ...person })).id
}

/** @throws API-013, DGOV-015 */
async function supersede(kernel: Kernel, tx: Tx, id: string, kind: PolicyRow['kind']): Promise<PolicyRow> {
  const held = await hold(tx, policyResource, { id, precondition: anyVersion })
  if (held.row.status !== 'active' || held.row.kind !== kind)
    throw errors.illegalMove({
      what: `Only an active policy of the same kind is superseded; this one is ${held.row.status}.`,
    })
  if (held.row.hold_id !== null) await kernel.dataRegistry.holds.release(tx, held.row.hold_id)
  await write(kernel, tx, held, { status: 'superseded', ended_at: kernel.clock.iso(), next_run_at: null })
  return held.row
}

/** @throws API-001, API-013, DGOV-015 */
async function endPolicy(kernel: Kernel, tx: Tx, { input }: Policing): Promise<PolicyRow> {
  if (input.supersedes === undefined) throw required('/supersedes')
  if (input.reason === undefined) throw required('/reason')
  const held = await hold(tx, policyResource, { id: input.supersedes, precondition: anyVersion })
  const { row } = held
  const wanted = row.kind === 'legal_hold' ? 'released' : 'retired'
  if (row.status !== 'active' || input.status !== wanted || input.kind !== row.kind)
    throw errors.illegalMove({ what: `This ${row.kind} is ${row.status}; an active one becomes ${wanted}.` })
  if (row.hold_id !== null) await kernel.dataRegistry.holds.release(tx, row.hold_id)
  const after = await write(kernel, tx, held, {
    ...{ status: wanted, ended_at: kernel.clock.iso(), reason: input.reason, next_run_at: null },
  })
  await tx.audit(policyAction, {
    target: `data_gov_policy:${row.id}`,
    before: { status: row.status },
    after: { status: wanted },
    reason: input.reason,
  })
  if (row.kind === 'legal_hold')
    await tx.emit(holdChanged, row.id, { policy_id: row.id, matter: row.matter ?? '', status: 'released' })
  return after
}

const shownPolicy = ({ kind, name, categories, maximum, status, subjects }: PolicyRow) => ({
  ...{ kind, name, categories, maximum, status, subjects },
})

export function policyView({ version: _version, hold_id: _hold, ...shown }: PolicyRow) {
  return shown
}

/** Matters of holds in force on a person, all of whose data or a part of it stays. */
export async function holdsOn(
  kernel: Kernel,
  tx: Tx,
  person: { readonly userIds: readonly string[]; readonly aliases: readonly string[] },
) {
  const values = new Set(person.aliases.map((alias) => alias.toLowerCase()))
  const active = await kernel.dataRegistry.holds.active(tx)
  return active.filter(
    ({ user_ids, aliases }) =>
      (user_ids.length === 0 && aliases.length === 0) ||
      user_ids.some((id) => person.userIds.includes(id)) ||
      aliases.some((alias) => values.has(alias)),
  )
}
