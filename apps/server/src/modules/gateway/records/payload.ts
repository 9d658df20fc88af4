import { Value } from 'typebox/value'
import type { TenantId } from '../../../kernel/auth/actor.ts'
import type { TenantKeys } from '../../../kernel/crypto/port.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { Payload } from '../schemas/request.ts'

const addressOf = (id: string) => ({ table: 'gateway_request', column: 'payload', rowId: id })

/** What may be kept of the content, encrypted; null when nothing may. */
export async function sealPayload(
  keys: TenantKeys,
  state: CallState,
  payload: Payload | null,
): Promise<Uint8Array | null> {
  if (payload === null) return null
  return keys.encrypt(
    state.facts.tenantId,
    addressOf(state.facts.id),
    new TextEncoder().encode(JSON.stringify(payload)),
  )
}

/** @throws Error when the stored bytes are not this row's */
export async function openPayload(
  keys: TenantKeys,
  tenantId: TenantId,
  row: { readonly id: string; readonly payload: Uint8Array },
): Promise<Payload> {
  const bytes = await keys.decrypt(tenantId, addressOf(row.id), row.payload)
  const payload: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!Value.Check(Payload, payload)) throw new Error('The stored content is not readable')
  return payload
}
