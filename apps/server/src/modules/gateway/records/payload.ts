/**
 * The content of a call as it is stored: encrypted for its row, with a full-text index of its words and the time it is
 * removed. Promises that the index holds only words of the content, which is limited to what the policy keeps, and that
 * it contains no key of the tenant. Tested in requests-search.test.ts and chat-retention.test.ts.
 */

import Type from 'typebox'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { FieldAddress } from '../../../kernel/crypto/envelope.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { TenantKeys } from '../../../kernel/keys/port.ts'
import { hidden } from '../../../kernel/observe/live-secrets.ts'
import { fits } from '../../../kernel/schema/fits.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { CanonicalCall } from '../call/call.ts'
import type { WithFacts } from '../call/facts.ts'
import { afterLong } from '../call/texts/long-turn.ts'
import { vectorOf } from '../request-log/words.ts'
import { Payload } from '../schemas/request.ts'
import { type KeptCall, messagesOf, readKeptCall } from './kept-call.ts'
import type { KeptContent } from './kept-content.ts'

export interface PayloadRow {
  readonly tenant_id: string
  readonly id: string
  readonly user_id: string
  readonly sealed: Uint8Array
  readonly original: Uint8Array | null
  /** Text form of a `tsvector`. */
  readonly words: string
  readonly created_at: string
  readonly expires_at: string
}

/** The column's first name: bytes that were sealed under it must go on opening. */
const addressOf = (id: string) => ({ table: 'gateway_request', column: 'payload', rowId: id })
const originalAddress = (id: string) => ({ table: 'gateway_request_payload', column: 'original', rowId: id })

/** Content of the bytes; the older form holds messages only and cannot be run again. */
const Stored = Type.Union([
  Payload,
  strictObject({
    call: Type.Unsafe<Partial<CanonicalCall>>({ type: 'object' }),
    whole: Type.Boolean(),
    answer: Payload.properties.answer,
  }),
])

export interface OpenedPayload {
  readonly payload: Payload
  /** Null when only its messages were kept. */
  readonly kept: KeptCall | null
}

const dayMs = 86_400_000

export async function payloadRow(
  { tenantKeys, liveSecrets, clock }: Pick<Kernel, 'tenantKeys' | 'liveSecrets' | 'clock'>,
  { facts }: WithFacts,
  { payload, kept, original, days }: KeptContent,
): Promise<PayloadRow> {
  const shown = (value: unknown): string => liveSecrets.hideInJson(JSON.stringify(value), facts.tenantId)
  const seal = (address: FieldAddress, json: string) => tenantKeys.encrypt(facts.tenantId, address, Buffer.from(json))
  const content = shown({ answer: payload.answer, ...kept })
  await afterLong(content.length)
  return {
    tenant_id: facts.tenantId,
    id: facts.id,
    user_id: facts.actor.userId,
    sealed: await seal(addressOf(facts.id), content),
    original: original === null ? null : await seal(originalAddress(facts.id), shown(original)),
    words: content.includes(hidden) ? wordsOf(JSON.parse(shown(payload))) : wordsOf(payload),
    created_at: facts.startedAt,
    expires_at: new Date(clock.now() + days * dayMs).toISOString(),
  }
}

/** @throws Error when the stored bytes are not this row's */
export async function openPayload(
  keys: TenantKeys,
  tenantId: TenantId,
  row: { readonly id: string; readonly sealed: Uint8Array },
): Promise<OpenedPayload> {
  const bytes = await keys.decrypt(tenantId, addressOf(row.id), row.sealed)
  const stored: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!fits(Stored, stored)) throw new Error('The stored content is not readable')
  if ('messages' in stored) return { payload: stored, kept: null }
  const call = readKeptCall(stored.call)
  return { payload: { messages: messagesOf(call), answer: stored.answer }, kept: { call, whole: stored.whole } }
}

/** @throws Error when the stored bytes are not this row's */
export async function openOriginal(
  keys: TenantKeys,
  tenantId: TenantId,
  row: { readonly id: string; readonly sealed: Uint8Array },
): Promise<Payload> {
  const bytes = await keys.decrypt(tenantId, originalAddress(row.id), row.sealed)
  const stored: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!fits(Payload, stored)) throw new Error('The stored original is not readable')
  return stored
}

/** Characters of a call that are searched, its answer and its newest turns first: an index has to cost less than the call. */
const mostSearched = 32_768

function wordsOf({ messages, answer }: Payload): string {
  const said = answer.flatMap(({ text, tool_calls }) => [text, ...tool_calls.map(textOfTool)])
  const asked = messages.flatMap(({ texts, tool_calls }) => [...texts, ...tool_calls.map(textOfTool)])
  let room = mostSearched
  const taken: string[] = []
  for (const text of [...said, ...asked.reverse()]) {
    if (room <= 0) break
    taken.push(text.slice(0, room))
    room -= text.length
  }
  return vectorOf(taken)
}

const textOfTool = (call: { readonly name: string; readonly arguments: string }): string =>
  `${call.name} ${call.arguments}`
