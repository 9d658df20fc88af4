/**
 * Earlier turns of a response that continues another one (`previous_response_id`). Nothing is stored at a provider, so
 * they are read from our log. Only turns that were logged whole and unchanged are sent again: if a value was hidden or
 * tool calls have lost their ids, the result is GW-028 rather than a different conversation. A response that the caller
 * cannot see is API-013. Tested in sdk-responses.test.ts.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../../kernel/db/port.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Turn } from '../../call/call.ts'
import { errors } from '../../declared/errors.ts'
import { type OpenedPayload, openPayload } from '../../records/payload.ts'
import { findRequest } from '../../request-log/requests.ts'
import { findPayload } from '../../request-log/resource/logged-request.ts'
import type { RequestRow } from '../../schemas/request.ts'
import type { GatewayServices } from '../../services/gateway-services.ts'
import { rowIdOf } from './ids.ts'
import type { Before } from './read-responses.ts'

interface Asking {
  readonly scope: TenantScope
  readonly actor: Actor
  /** From the body; without it a new conversation begins. */
  readonly previous: string | null | undefined
}

/** Reads now; errors are thrown in the call's first step, so that they are logged. */
export async function before({ kernel }: GatewayServices, { scope, actor, previous }: Asking): Promise<Before> {
  if (!previous) return () => []
  const id = rowIdOf(previous, 'resp_')
  const found =
    id === null
      ? null
      : await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
          const row = await findRequest(tx, actor, id)
          return row === null ? null : { row, sealed: await findPayload(tx, row.id) }
        })
  if (found === null) return notFound
  if (found.sealed === null || !isOwn(found.row, actor) || wasHidden(found.row)) return notRetained
  const turns = turnsOf(await openPayload(kernel.tenantKeys, scope.tenantId, found.sealed))
  return turns === null ? notRetained : () => turns
}

const at = '/previous_response_id'

function notFound(): never {
  const problem = apiErrors.notFound({ what: 'response' })
  throw problem.at([{ detail: problem.message, pointer: at }])
}

function notRetained(): never {
  throw errors
    .payloadNotRetained()
    .at([{ detail: 'That response was not kept whole, so nothing can go on from it.', pointer: at }])
}

/** A caller who may read another's calls still cannot continue their conversations. */
function isOwn(row: RequestRow, actor: Actor): boolean {
  return (
    row.user_id === actor.userId &&
    row.dialect === 'openai' &&
    row.operation === 'responses' &&
    row.status === 'completed'
  )
}

/** Placeholders of an earlier call would be confused with those of this one. */
function wasHidden({ decision, entities }: RequestRow): boolean {
  return decision === 'redacted' || Object.keys(entities).length > 0
}

/** The turns with the answer; instructions and a policy's own words are those of the new call. */
function turnsOf({ kept, payload }: OpenedPayload): readonly Turn[] | null {
  const [answer] = payload.answer
  if (kept?.whole !== true || kept.call.extra.length > 0) return null
  if (answer === undefined || answer.text === '' || answer.tool_calls.length > 0) return null
  const said = kept.call.turns.filter((turn) => turn.at !== '' && turn.at !== '/instructions')
  const answered: Turn = {
    role: 'assistant',
    parts: [{ type: 'text', text: answer.text }],
    toolCalls: [],
    toolCallId: null,
    name: null,
  }
  return [...said, answered].map(({ places, ...turn }) => ({
    ...turn,
    at,
    // The places of the new body do not apply to this earlier turn.
    ...(places === undefined ? {} : { places: places.map(() => at) }),
  }))
}
