/**
 * Changes of a control by people. That a control does not apply takes a justification and a second person, because it
 * leaves the denominator of the score. Tested in controls.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, type Held, hold, resource } from '../../../kernel/resource/resource.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { needSecondPerson } from '../../../kernel/second-person/second-person.ts'
import { askForScores } from '../declared/ask-for-scores.ts'
import type { Control, ControlRow, PatchControl, Remediation } from '../declared/control-schema.ts'
import { controls } from '../declared/control-table.ts'
import { claims } from '../declared/evidence-tables.ts'
import { errors } from '../errors/errors.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'
import { controlView } from './controls.ts'

export const controlResource = resource({ table: controls, kind: 'compliance_control' })

export interface ControlChange {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchControl
  readonly call: RepeatableCall
}

/** @throws API-001, API-012, API-013, COMP-005, COMP-009, COMP-011 */
export async function changeControl(
  services: ComplianceServices,
  tx: Tx,
  { actor, input, call, ...asked }: ControlChange,
): Promise<Versioned<Control>> {
  const { kernel } = services
  const held = await hold(tx, controlResource, asked)
  const { row } = held
  if (row.withdrawn)
    throw errors.notChangeable({ what: `${row.ref} is withdrawn. A withdrawn control does not change.` })
  await refuseUnknownOwners(services, tx, input)
  await refuseUnjustified(services, tx, { actor, held, input, call })
  await changeLinks(services, tx, row, input.evidence_links ?? {})
  const changed = await change(kernel, tx, held, {
    action: 'compliance.control.update',
    changes: changesOf(services, row, input),
  })
  await askForScores(kernel.clock, tx, { kind: 'control', id: row.id })
  return new Versioned(await controlView(tx, changed, kernel.clock.now()), changed.version)
}

async function refuseUnknownOwners({ iam }: ComplianceServices, tx: Tx, input: PatchControl): Promise<void> {
  const named = [input.owner_user_id, ...(input.remediation ?? []).map((item) => item.owner_user_id)]
  const users = [...new Set(named.flatMap((id) => id ?? []))]
  if (users.length === 0) return
  const known = await iam.knownPrincipals(tx, { users, keys: [] })
  const unknown = users.find((id) => !known.has(id))
  if (unknown === undefined) return
  throw apiErrors
    .validation({ what: 'The body names a user that does not exist.' })
    .at([{ detail: 'There is no such user.', pointer: '/owner_user_id' }])
}

interface Judging extends Pick<ControlChange, 'actor' | 'input' | 'call'> {
  readonly held: Held<ControlRow>
}

async function refuseUnjustified(
  { kernel }: ComplianceServices,
  tx: Tx,
  { actor, held, input, call }: Judging,
): Promise<void> {
  const { row } = held
  const leaves = (input.applicable ?? row.applicable) === false && row.applicable
  const status = input.implementation_status
  const needsReason = leaves || status === 'not_applicable' || status === 'alternative'
  if (!needsReason) return
  const justification = input.justification ?? row.justification
  if (justification === null || justification === '')
    throw errors
      .justificationNeeded({ field: leaves ? 'applicable' : 'implementation_status' })
      .at([{ detail: 'This is required here.', pointer: '/justification' }])
  if (!leaves) return
  await needSecondPerson(kernel, tx, actor, {
    call,
    state: [row.id, row.version],
    aloneToo: true,
    refusal: () =>
      errors.secondPerson({
        what: 'That a control does not apply takes two people. Another person repeats the call with the `confirm_token`.',
      }),
  })
}

type Links = NonNullable<PatchControl['evidence_links']>

async function changeLinks(
  { kernel }: ComplianceServices,
  tx: Tx,
  { id: controlId }: ControlRow,
  { add = [], remove = [] }: Links,
): Promise<void> {
  if (remove.length > 0)
    await tx.execute(sql`
      delete from compliance_claim where control_id = ${controlId} and evidence_id = any(${[...remove]}::uuid[])`)
  if (add.length === 0) return
  const ids = add.map((one) => one.evidence_id)
  const known = new Set(
    (await tx.query(sql<{ id: string }>`select id from compliance_evidence where id = any(${ids}::uuid[])`)).map(
      ({ id }) => id,
    ),
  )
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown >= 0)
    throw apiErrors
      .validation({ what: 'The body names evidence that does not exist.' })
      .at([{ detail: 'There is no such evidence.', pointer: `/evidence_links/add/${unknown}/evidence_id` }])
  await tx.execute(sql`
    delete from compliance_claim where control_id = ${controlId} and evidence_id = any(${ids}::uuid[])`)
  const created = kernel.clock.iso()
  await insertMany(
    tx,
    claims,
    [...new Map(add.map((one) => [one.evidence_id, one])).values()].map(
      ({ evidence_id, part = false, note = null }) => ({
        ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, created_at: created },
        ...{ evidence_id, control_id: controlId, part, note },
      }),
    ),
  )
}

function changesOf({ kernel }: ComplianceServices, row: ControlRow, input: PatchControl) {
  const { evidence_links: _links, confirm_token: _token, params, remediation, inherited_decisions, ...plain } = input
  return {
    ...plain,
    ...(params === undefined ? {} : { params: row.params.map((param) => withValues(param, params)) }),
    ...(remediation === undefined
      ? {}
      : {
          remediation: remediation.map(
            (item): Remediation => ({
              ...{ id: item.id ?? kernel.random.uuid(), title: item.title, owner_user_id: item.owner_user_id ?? null },
              ...{ due_at: item.due_at ?? null, effort_days: item.effort_days ?? null, status: item.status ?? 'open' },
            }),
          ),
        }),
    ...(inherited_decisions === undefined ? {} : { decisions: inherited_decisions }),
  }
}

type Params = ControlRow['params']

function withValues(param: Params[0], given: NonNullable<PatchControl['params']>): Params[0] {
  const found = given.find(({ id }) => id === param.id)
  return found === undefined ? param : { ...param, values: [...found.values] }
}
