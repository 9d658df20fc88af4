/** Title, state, context, sources and retention of a conversation, changed by its person. Tested in chat.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import type { ConversationRow, PatchConversation, PinRow } from '../declared/conversation-schema.ts'
import { conversations, pins } from '../declared/conversation-tables.ts'
import { errors } from '../errors/errors.ts'
import { readableBy } from '../sources/acl.ts'
import { conversationView } from './conversations.ts'
import { conversationResource } from './resource.ts'
import { readPins, sealPin } from './sealed.ts'

const mostPins = 50
const dayMs = 86_400_000

export interface Changing {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchConversation
}

/** @throws API-012, API-013, SVC-001, SVC-007 */
export async function changeConversation(kernel: Kernel, changing: Changing) {
  const { scope, actor, id, input } = changing
  const added = await sealedPins(kernel, changing)
  const row = await kernel.db.tenant(scope, async (tx) => {
    const held = await hold(tx, conversationResource, {
      id,
      precondition: changing.precondition,
      allow: ({ user_id: owner }) => {
        if (owner !== actor.userId) throw apiErrors.notFound({ what: conversations.noun })
      },
    })
    await refuseUnknownSources(tx, actor, input.source_ids ?? [])
    await changePins(tx, { id, added, removed: input.context?.unpin ?? [] })
    const changed = await change(kernel, tx, held, {
      action: 'svc_ai.conversation.update',
      changes: changesOf(kernel, held.row, input),
    })
    return changed
  })
  return new Versioned(conversationView(row, await readPins(kernel, scope.tenantId, id)), row.version)
}

function changesOf({ clock }: Kernel, row: ConversationRow, input: PatchConversation) {
  const { title, status, source_ids, retention_days: days, context } = input
  return {
    ...{ title, status, source_ids, retention_days: days },
    ...{ strategy: context?.strategy, window_tokens: context?.window_tokens },
    // Counted from now on: a shorter time never removes what was said a moment ago.
    expires_at: days === undefined || days === row.retention_days ? undefined : expiryOf(clock.now(), days),
  }
}

export const expiryOf = (nowMs: number, days: number): string => new Date(nowMs + days * dayMs).toISOString()

async function sealedPins(kernel: Kernel, { scope, actor, id, input }: Changing): Promise<readonly PinRow[]> {
  const rows: PinRow[] = []
  for (const text of input.context?.pin ?? []) {
    const pinId = kernel.random.uuid()
    const sealed = await sealPin(kernel, scope.tenantId, pinId, text)
    const place = { tenant_id: scope.tenantId, conversation_id: id, user_id: actor.userId }
    rows.push({ id: pinId, created_at: kernel.clock.iso(), ...place, sealed })
  }
  return rows
}

interface PinChange {
  readonly id: string
  readonly added: readonly PinRow[]
  readonly removed: readonly string[]
}

/** @throws SVC-007 */
async function changePins(tx: Tx, { id, added, removed }: PinChange): Promise<void> {
  if (removed.length > 0)
    await tx.execute(
      sql`delete from svc_ai_pin where conversation_id = ${id} and id = any(${[...removed]}::uuid[]) and ${notHeld(pins)}`,
    )
  if (added.length === 0) return
  const held = await tx.first(
    sql<{ n: number }>`select count(*)::int as n from svc_ai_pin where conversation_id = ${id}`,
  )
  if ((held?.n ?? 0) + added.length > mostPins)
    throw errors.tooManyPins({ limit: mostPins }).at([{ detail: 'are too many', pointer: '/context/pin' }])
  await insertMany(tx, pins, added)
}

/** @throws SVC-001 */
export async function refuseUnknownSources(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await tx.query(sql<{ id: string }>`
    select source.id from svc_ai_source source where source.id = any(${[...ids]}::uuid[]) and ${readableBy(actor)}`)
  const known = new Set(found.map((source) => source.id))
  const unknown = ids.flatMap((id, at) => (known.has(id.toLowerCase()) ? [] : [`/source_ids/${at}`]))
  if (unknown.length > 0)
    throw errors
      .unknownReference({ what: 'A knowledge source does not exist, or is not yours to read.' })
      .at(unknown.slice(0, 20).map((pointer) => ({ detail: 'names no source', pointer })))
}
