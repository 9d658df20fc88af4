/**
 * A kept answer as it is stored: its events, with placeholders and never restored, and the vector of its question, each
 * encrypted under the tenant's key for its row and column. Moved or changed bytes do not decrypt. Tested in
 * cache.test.ts and semantic.test.ts.
 */
import Type from 'typebox'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { fits } from '../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../call/call.ts'
import type { Remarks } from '../../findings/remark.ts'
import type { CacheEntryRow } from './tables.ts'

/** An answer to be given again. */
export interface CachedAnswer {
  /** Names of the provider and model that answered. */
  readonly provider: string
  readonly model: string
  readonly storedAtMs: number
  /** Milliseconds the model took. */
  readonly upstreamMs: number
  readonly events: readonly AnswerEvent[]
  /** Told with it each time. */
  readonly remarks: Remarks
}

/** Where an answer to a question like another is looked for. */
export interface Near {
  readonly context: string
  /** Of length 1. */
  readonly vector: Float32Array
}

export type EntryFacts = Pick<
  CacheEntryRow,
  'id' | 'tenant_id' | 'call_id' | 'request_id' | 'user_id' | 'key_id' | 'route' | 'policies' | 'key' | 'expires_at'
>

type Keys = Pick<Kernel, 'tenantKeys'>

/** Maximum bytes of an answer and its remarks before encryption. */
const largestEntry = 1_048_576

const addressOf = (id: string, column: 'sealed' | 'sealed_vector') => ({
  table: 'gateway_cache_entry',
  column,
  rowId: id,
})

/** Null for an answer that is too large. */
export async function entryRow(
  { tenantKeys }: Keys,
  facts: EntryFacts,
  { answer, near }: { readonly answer: CachedAnswer; readonly near: Near | null },
): Promise<(CacheEntryRow & Pick<SealedAnswer, 'told'>) | null> {
  const events = Buffer.from(JSON.stringify(answer.events))
  const toldBytes = Buffer.byteLength(JSON.stringify(answer.remarks))
  if (events.length + toldBytes > largestEntry) return null
  const tenantId = facts.tenant_id as TenantId
  const [sealed, sealedVector] = await Promise.all([
    tenantKeys.encrypt(tenantId, addressOf(facts.id, 'sealed'), events),
    near === null ? null : tenantKeys.encrypt(tenantId, addressOf(facts.id, 'sealed_vector'), bytesOf(near.vector)),
  ])
  return Object.assign({}, facts, {
    provider: answer.provider,
    model: answer.model,
    context: near?.context ?? null,
    sealed,
    sealed_vector: sealedVector,
    told: answer.remarks,
    bytes: sealed.length + (sealedVector?.length ?? 0) + toldBytes,
    upstream_ms: Math.round(answer.upstreamMs),
    created_at: new Date(answer.storedAtMs).toISOString(),
  })
}

const Events = Type.Array(Type.Unsafe<AnswerEvent>({ type: 'object' }))

export interface SealedAnswer
  extends Pick<CacheEntryRow, 'id' | 'provider' | 'model' | 'upstream_ms' | 'created_at' | 'sealed'> {
  readonly told: Remarks
}

/** @throws Error when the bytes were changed or moved */
export async function openAnswer({ tenantKeys }: Keys, tenantId: TenantId, row: SealedAnswer): Promise<CachedAnswer> {
  const opened = await tenantKeys.decrypt(tenantId, addressOf(row.id, 'sealed'), row.sealed)
  const events: unknown = JSON.parse(new TextDecoder().decode(opened))
  if (!fits(Events, events)) throw new Error('a kept answer has another form')
  const { provider, model, upstream_ms: upstreamMs, created_at: at, told: remarks } = row
  return { provider, model, upstreamMs, storedAtMs: Date.parse(at), events, remarks }
}

/** @throws Error when the bytes were changed or moved */
export async function openVector(
  { tenantKeys }: Keys,
  tenantId: TenantId,
  row: { readonly id: string; readonly sealed_vector: Uint8Array },
): Promise<Float32Array> {
  const bytes = await tenantKeys.decrypt(tenantId, addressOf(row.id, 'sealed_vector'), row.sealed_vector)
  // A copy, because floats must begin at a multiple of their size.
  return new Float32Array(Uint8Array.from(bytes).buffer)
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
