/**
 * An earlier response, read again from the log: nothing is stored at a provider. Only a response that was logged whole
 * and unchanged is shown. Tested in sdk-responses.test.ts.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../../kernel/db/port.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { errors } from '../../declared/errors.ts'
import { openPayload } from '../../records/payload.ts'
import { findRequest } from '../../request-log/requests.ts'
import { findPayload } from '../../request-log/resource/logged-request.ts'
import type { RequestRow } from '../../schemas/request.ts'
import type { GatewayServices } from '../../services/gateway-services.ts'
import type { RawBody } from './chat-members.ts'
import { rowIdOf } from './ids.ts'

interface Wanted {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly id: string
}

/** @throws API-013, and GW-028 if it was not stored whole */
export async function keptResponse({ kernel }: GatewayServices, { scope, actor, id }: Wanted): Promise<RawBody> {
  const rowId = rowIdOf(id, 'resp_')
  const found =
    rowId === null
      ? null
      : await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
          const row = await findRequest(tx, actor, rowId)
          return row === null || !isResponse(row) ? null : { row, sealed: await findPayload(tx, row.id) }
        })
  if (found === null) throw apiErrors.notFound({ what: 'response' })
  if (found.sealed === null || found.row.status !== 'completed') throw errors.payloadNotRetained()
  const { payload } = await openPayload(kernel.tenantKeys, scope.tenantId, found.sealed)
  const [answer] = payload.answer
  if (answer === undefined || answer.tool_calls.length > 0) throw errors.payloadNotRetained()
  return bodyOf(id, found.row, answer.text)
}

function isResponse({ dialect, operation }: RequestRow): boolean {
  return dialect === 'openai' && operation === 'responses'
}

function bodyOf(id: string, row: RequestRow, text: string): RawBody {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  const message = { id: id.replace('resp_', 'msg_'), type: 'message', status: 'completed', role: 'assistant', content }
  return {
    id,
    object: 'response',
    created_at: Math.floor(Date.parse(row.created_at) / 1000),
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    model: row.answered_model ?? row.model ?? '',
    output: [message],
    store: false,
    usage: usageOf(row),
  }
}

function usageOf({ usage }: RequestRow): object | null {
  if (usage === null) return null
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: { cached_tokens: usage.cached_tokens },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
    total_tokens: usage.total_tokens,
  }
}
