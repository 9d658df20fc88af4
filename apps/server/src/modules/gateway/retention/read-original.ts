/**
 * Shows a call before its redaction. Promises that nothing is shown before it is in the audit log, and nothing that has
 * expired. Tested in original.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../declared/errors.ts'
import { openOriginal } from '../records/payload.ts'
import { needRequest } from '../request-log/requests.ts'
import type { Payload } from '../schemas/request.ts'

/** Its own two transactions: keys are asked for between them. @throws AUTH-004, AUTH-009, API-013, GW-028 */
export async function readOriginal(kernel: Kernel, scope: TenantScope, actor: Actor, id: string): Promise<Payload> {
  if (!holds(actor.permissions, 'gateway:admin')) throw authErrors.forbidden({ permission: 'gateway:admin' })
  assertFresh(actor, kernel.clock)
  const { sealed, callId } = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
    const call = await needRequest(tx, actor, id)
    return { sealed: await findOriginal(tx, call.id), callId: call.id }
  })
  const original = await openOriginal(kernel.tenantKeys, scope.tenantId, { id: callId, sealed })
  await kernel.db.tenant(scope, (tx) => tx.audit('gateway.request.read_original', { target: `request:${callId}` }))
  return original
}

async function findOriginal(tx: Tx, id: string): Promise<Uint8Array> {
  const row = await tx.first(
    sql<{ original: Uint8Array | null }>`
      select original from gateway_request_payload where id = ${id} and expires_at > now()`,
  )
  if (row === null || row.original === null) throw errors.payloadNotRetained()
  return row.original
}
