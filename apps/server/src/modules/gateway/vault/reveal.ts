/**
 * Shows original values behind placeholders. Promises that no value is shown before its entry is in the audit log, and
 * that an expired value stays hidden even if the job that shreds it has not run yet. Tested in vault.test.ts.
 */

import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { type Unconfirmed, useUp, withToken } from '../../../kernel/second-person/second-person.ts'
import { errors } from '../declared/errors.ts'
import { needRequest } from '../request-log/requests.ts'
import type { RequestRow } from '../schemas/request.ts'
import type { Reveal, Revealed } from '../schemas/vault.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { vaultRevealed } from './events.ts'
import { openValues } from './sealed/sealing.ts'
import { type SealedValue, type VaultRow, vaults } from './sealed/tables.ts'
import { type Approval, approvalOf, noteFirstPerson } from './second-person.ts'

interface Found {
  readonly call: RequestRow
  readonly expiresAt: string
  readonly locked: { readonly id: string; readonly wrapped_key: Uint8Array; readonly values: readonly SealedValue[] }
}

/**
 * Its own transactions: keys are asked for between them, because they may read the database themselves.
 * @throws API-013, GW-028, GW-029
 */
export async function revealValues(
  services: Pick<GatewayServices, 'kernel' | 'iam'>,
  scope: TenantScope,
  asked: Asked,
): Promise<Revealed> {
  const { kernel } = services
  const { actor, body, repeatable } = asked
  const { call, expiresAt, locked, approval } = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
    const found = await find(tx, actor, body)
    return { ...found, approval: await approvalOf(services, tx, { actor, call: repeatable, callId: found.call.id }) }
  })
  if (approval?.kind === 'missing') throw await refuseAlone(services, scope, { ...asked, call }, approval)
  const opened = await openValues(kernel, scope.tenantId, locked)
  await kernel.db.tenant(scope, async (tx) => {
    await stillThere(tx, call.id)
    // Used before: then its values were shown already.
    if (approval !== null && !(await useUp(kernel, tx, approval))) throw errors.revealRefused({ why: twoPeople })
    await record(tx, { call, actor, approval, reason: body.reason, values: locked.values })
  })
  const values = locked.values.map(({ placeholder, entity_type }, index) => ({
    placeholder,
    entity_type,
    value: opened[index] ?? '',
  }))
  return { request_id: call.id, values, expires_at: expiresAt }
}

interface Asked {
  readonly actor: Actor
  readonly body: Reveal
  readonly repeatable: RepeatableCall
}

const twoPeople =
  'This takes two people: another administrator repeats the call with the confirm_token within 15 minutes.'

/** The refusal is kept although nothing else is. */
async function refuseAlone(
  services: Pick<GatewayServices, 'kernel'>,
  scope: TenantScope,
  { body, call }: Asked & Pick<Found, 'call'>,
  missing: Unconfirmed,
) {
  await services.kernel.db.tenant(scope, (tx) => noteFirstPerson(tx, { ...body, callId: call.id }))
  return withToken(errors.revealRefused({ why: twoPeople }), missing)
}

async function find(tx: Tx, actor: Actor, { request_id, placeholders }: Reveal): Promise<Found> {
  const call = await needRequest(tx, actor, request_id)
  const row = await tx.first(
    sql<VaultRow & { readonly past: boolean }>`
      select ${vaults.columns}, expires_at <= now() as past from gateway_vault where id = ${call.id}`,
  )
  if (row === null) throw errors.payloadNotRetained()
  if (row.wrapped_key === null || row.past) throw shredded()
  const known = new Map(row.sealed_values.map((value) => [value.placeholder, value]))
  const values = placeholders.flatMap((placeholder) => known.get(placeholder) ?? [])
  if (values.length < placeholders.length) throw errors.payloadNotRetained()
  return { call, expiresAt: row.expires_at, locked: { id: row.id, wrapped_key: row.wrapped_key, values } }
}

function shredded() {
  return errors.revealRefused({ why: 'The values were destroyed when their time was over.' })
}

/** Locks the row, so that values are shown before they are destroyed or not at all. @throws GW-029 */
async function stillThere(tx: Tx, id: string): Promise<void> {
  const row = await tx.first(
    sql`select id from gateway_vault where id = ${id} and wrapped_key is not null and expires_at > now() for update`,
  )
  if (row === null) throw shredded()
}

interface Shown {
  readonly call: RequestRow
  readonly actor: Actor
  readonly approval: Approval
  readonly reason: string
  readonly values: readonly SealedValue[]
}

async function record(tx: Tx, { call, actor, approval, reason, values }: Shown): Promise<void> {
  const approvedBy = approval?.by ?? null
  for (const { placeholder, entity_type } of values)
    await tx.audit('gateway.vault.reveal', {
      target: `request:${call.id}`,
      after: { placeholder, entity_type, ...(approvedBy === null ? {} : { approved_by: approvedBy }) },
      reason,
    })
  await tx.emit(vaultRevealed, call.id, {
    request_id: call.request_id,
    log_id: call.id,
    entity_types: [...new Set(values.map(({ entity_type }) => entity_type))].sort(),
    count: values.length,
    by: actor.userId,
    approved_by: approvedBy,
    reason,
  })
}
