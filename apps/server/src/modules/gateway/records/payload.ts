import { Value } from 'typebox/value'
import type { TenantId } from '../../../kernel/auth/actor.ts'
import type { TenantKeys } from '../../../kernel/crypto/port.ts'
import { collectAnswer } from '../call/answer.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { Payload } from '../schemas/request.ts'

const addressOf = (id: string) => ({ table: 'gateway_request', column: 'payload', rowId: id })

/** The content as the model saw it and answered it, placeholders and all, encrypted; null when the policy keeps none. */
export async function sealPayload(keys: TenantKeys, state: CallState): Promise<Uint8Array | null> {
  if (state.policy.effective.retention.level === 'metadata') return null
  const payload: Payload = {
    messages: state.call.turns.map(({ role, parts, toolCalls }) => ({
      role,
      texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
      tool_calls: toolCalls.map(({ name, arguments: text }) => ({ name, arguments: text })),
    })),
    answer: collectAnswer(state.inspected).choices.map(({ index, text, toolCalls }) => ({
      index,
      text: text ?? '',
      tool_calls: toolCalls.map(({ name, arguments: said }) => ({ name, arguments: said })),
    })),
  }
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
