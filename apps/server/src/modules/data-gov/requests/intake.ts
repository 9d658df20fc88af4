/** Opens requests of data subjects, and moves them on: identity, approval, extension, refusal. Tested in requests.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { create, type Held, hold, newRow, resource, write } from '../../../kernel/resource/resource.ts'
import { needOtherPerson } from '../../../kernel/second-person/people.ts'
import { hashesOf, personFor } from '../consent/people.ts'
import { objectToAll, setStatus } from '../consent/record.ts'
import type { Alias } from '../declared/consent-schema.ts'
import type { Correction, NewRun, RunRow, RunStatus } from '../declared/retention-schema.ts'
import { runs } from '../declared/retention-tables.ts'
import { errors } from '../errors/errors.ts'
import { shifted } from '../retention/durations.ts'
import { holdsOn } from '../retention/policies.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { fulfilJob } from './fulfil.ts'
import { maskedAlias, openAliases, personIn, sealAliases } from './people.ts'
import { planErasure } from './plan.ts'

export const runResource = resource({ table: runs, kind: 'data_gov_run' })
export const runAction = 'data_gov.retention_run.create'

export interface Asking {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly input: NewRun
}

const required = (pointer: string) =>
  apiErrors.validation({ what: 'The request lacks a part.' }).at([{ detail: 'This is required.', pointer }])

/** A row of a run; the caller says what it is about. */
export function newRun(kernel: Kernel, tx: Tx, id: string): RunRow {
  const now = kernel.clock.now()
  return {
    ...newRow(kernel, tx),
    ...{ id, kind: 'policy', request_type: null, dry_run: false, policy_ids: [], subject_id: null, aliases_masked: [] },
    ...{ jurisdiction: null, identity: null, received_at: kernel.clock.iso() },
    due_at: new Date(shifted(now, 'P1M')).toISOString(),
    ...{ extended: false, status: 'in_progress', plan: [], results: [], verification: null, certificate: null },
    ...{ export_expires_at: null, reason: null, requested_by: null, approved_by: null, completed_at: null },
    ...{ sealed_aliases: null, export_id: null },
  }
}

/** @throws API-001, DGOV-010 */
export async function openRequest(services: DataGovServices, { scope, actor, input }: Asking): Promise<RunRow> {
  const { kernel } = services
  if (input.request_type === undefined) throw required('/request_type')
  const aliases = input.subject?.aliases
  if (aliases === undefined) throw required('/subject')
  const hashes = await hashesOf(services, scope.tenantId, aliases)
  const id = kernel.random.uuid()
  const sealed = await sealAliases(kernel, scope.tenantId, id, { aliases, corrections: correctionsIn(input) })
  return kernel.db.tenant(scope, async (tx) => {
    const person = await personFor(services, tx, hashes)
    const row: RunRow = {
      ...newRun(kernel, tx, id),
      ...{ kind: 'subject_request', request_type: input.request_type ?? null, subject_id: person.id },
      ...{ aliases_masked: aliases.map(maskedAlias), jurisdiction: input.jurisdiction ?? 'gdpr' },
      ...{
        status: 'identity_pending',
        reason: input.reason ?? null,
        requested_by: actor.userId,
        sealed_aliases: sealed,
      },
    }
    await create(tx, runResource, row, { action: runAction, after: shownRun })
    return row
  })
}

/** @throws API-001 where a rectification has none, and where another request has some */
function correctionsIn({ request_type: type, corrections = [] }: NewRun): readonly Correction[] {
  if (type === 'rectification' && corrections.length === 0) throw required('/corrections')
  if (type !== 'rectification' && corrections.length > 0)
    throw apiErrors
      .validation({ what: 'Only a rectification has corrections.' })
      .at([{ detail: 'is for rectifications', pointer: '/corrections' }])
  return corrections.map(({ from, to }) => ({ from: from.trim(), to: to.trim() }))
}

export const shownRun = ({ kind, request_type, status, dry_run, policy_ids }: RunRow) => ({
  ...{ kind, request_type, status, dry_run, policy_ids },
})

interface Step {
  readonly actor: Actor
  readonly input: NewRun
  readonly held: Held<RunRow>
  readonly hashes: readonly string[]
  /** Opened before the transaction; empty once the request has ended. */
  readonly aliases: readonly Alias[]
}

/** @throws API-001, API-013, AUTH-004, DGOV-012, DGOV-013, DGOV-015, DGOV-016 */
export async function moveRequest(services: DataGovServices, { scope, actor, input }: Asking): Promise<RunRow> {
  const { kernel } = services
  const { run_id: id, action } = input
  if (id === undefined) throw required('/run_id')
  if (action === undefined) throw required('/action')
  if (!holds(actor.permissions, 'data-gov:admin')) throw authErrors.forbidden({ permission: 'data-gov:admin' })
  const known = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => runs.need(tx, id))
  const aliases = await openAliases(kernel, known)
  const hashes = await hashesOf(services, scope.tenantId, aliases)
  return kernel.db.tenant(scope, async (tx) => {
    const held = await hold(tx, runResource, { id, precondition: anyVersion })
    const before = held.row.status
    const after = await stepOf(services, tx, { actor, input, held, hashes, aliases })
    await tx.audit(runAction, {
      target: `data_gov_run:${id}`,
      before: { status: before },
      after: { status: after.status, action },
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    })
    return after
  })
}

function stepOf(services: DataGovServices, tx: Tx, step: Step): Promise<RunRow> {
  switch (step.input.action) {
    case 'verify_identity':
      return verifyIdentity(services, tx, step)
    case 'approve':
      return approve(services, tx, step)
    case 'extend':
      return extend(services, tx, step)
    case 'resume':
      return resume(services, tx, step)
    default:
      return end(services, tx, step)
  }
}

/** @throws DGOV-015 */
function expectStatus({ held: { row }, input }: Step, statuses: readonly RunStatus[]): void {
  if (!statuses.includes(row.status))
    throw errors.illegalMove({
      what: `${input.action} is for a run that is ${statuses.join(' or ')}; this one is ${row.status}.`,
    })
}

/** Requests without a further decision are done at once. @throws API-001, DGOV-015 */
async function verifyIdentity(services: DataGovServices, tx: Tx, step: Step): Promise<RunRow> {
  const { kernel } = services
  const { held, input, actor } = step
  expectStatus(step, ['identity_pending'])
  if (input.identity === undefined) throw required('/identity')
  const identity = { method: input.identity.method, verified_at: kernel.clock.iso(), verified_by: actor.userId }
  const { row } = held
  if (row.request_type === 'erasure') {
    const person = await personIn(kernel, tx, step.aliases)
    const plan = [...(await planErasure(kernel, tx, person))]
    return write(kernel, tx, held, { identity, plan, status: 'awaiting_approval' })
  }
  if (row.request_type === 'rectification') return write(kernel, tx, held, { identity, status: 'awaiting_approval' })
  if (row.request_type === 'access' || row.request_type === 'portability') {
    await tx.enqueue({ kind: fulfilJob, key: row.id, payload: { run_id: row.id } })
    return write(kernel, tx, held, { identity, status: 'fulfilling' })
  }
  if (row.subject_id !== null && row.request_type === 'restriction') await setStatus(tx, row.subject_id, 'restricted')
  if (row.request_type === 'objection') await objectToAll(services, tx, { actor, hashes: step.hashes })
  return write(kernel, tx, held, {
    ...{ identity, status: 'completed', completed_at: kernel.clock.iso(), sealed_aliases: null },
  })
}

/** @throws DGOV-012, DGOV-013, DGOV-015, DGOV-016 */
async function approve({ kernel }: DataGovServices, tx: Tx, step: Step): Promise<RunRow> {
  const { held, actor } = step
  const { row } = held
  if (row.kind === 'subject_request' && row.identity === null && row.status === 'identity_pending')
    throw errors.identityUnverified()
  expectStatus(step, ['awaiting_approval'])
  needOtherPerson(
    { by: row.identity?.verified_by ?? row.requested_by ?? '', atMs: Date.parse(row.received_at) },
    actor,
    () =>
      errors.secondPerson({ what: 'Another person than the one who opened or verified the request must approve it.' }),
  )
  if (row.kind === 'subject_request') await refuseHeld(kernel, tx, step.aliases)
  await tx.enqueue({
    kind: row.kind === 'policy' ? policyRunJob : fulfilJob,
    key: row.id,
    payload: { run_id: row.id },
  })
  return write(kernel, tx, held, { status: 'fulfilling', approved_by: actor.userId })
}

export const policyRunJob = 'data_gov.policy_run'

/** @throws DGOV-012 */
async function refuseHeld(kernel: Kernel, tx: Tx, aliases: readonly Alias[]): Promise<void> {
  const person = await personIn(kernel, tx, aliases)
  const found = await holdsOn(kernel, tx, person)
  if (found.length > 0) throw errors.held({ matters: found.map(({ matter }) => matter).join(', ') })
}

/** Two months more, once, told with its reason (GDPR Art. 12(3)). @throws API-001, DGOV-015 */
async function extend({ kernel }: DataGovServices, tx: Tx, step: Step): Promise<RunRow> {
  const { held, input } = step
  expectStatus(step, ['identity_pending', 'in_progress', 'awaiting_approval', 'partial'])
  if (input.reason === undefined) throw required('/reason')
  if (held.row.extended || held.row.kind !== 'subject_request')
    throw errors.illegalMove({ what: 'A request is extended once.' })
  const due = new Date(shifted(Date.parse(held.row.due_at), 'P2M')).toISOString()
  return write(kernel, tx, held, { extended: true, due_at: due, reason: input.reason })
}

/** @throws DGOV-012, DGOV-015 */
async function resume({ kernel }: DataGovServices, tx: Tx, step: Step): Promise<RunRow> {
  const { held } = step
  expectStatus(step, ['partial', 'failed'])
  if (held.row.kind !== 'subject_request' || held.row.sealed_aliases === null)
    throw errors.illegalMove({ what: 'Only an erasure that left something is resumed.' })
  await refuseHeld(kernel, tx, step.aliases)
  await tx.enqueue({ kind: fulfilJob, key: held.row.id, payload: { run_id: held.row.id } })
  return write(kernel, tx, held, { status: 'fulfilling', completed_at: null })
}

/** Refused with a reason, or taken back by the person. @throws API-001, DGOV-015 */
async function end({ kernel }: DataGovServices, tx: Tx, step: Step): Promise<RunRow> {
  const { held, input } = step
  expectStatus(step, ['identity_pending', 'in_progress', 'awaiting_approval'])
  if (input.reason === undefined) throw required('/reason')
  const status = input.action === 'refuse' ? 'refused' : 'withdrawn'
  return write(kernel, tx, held, {
    ...{ status, reason: input.reason, completed_at: kernel.clock.iso(), sealed_aliases: null },
  })
}
