import { expect, test } from 'vitest'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { AnswerEvent } from '../../call/call.ts'
import { type CachedAnswer, type EntryFacts, entryRow, openAnswer } from './entry.ts'

/** Bytes in the clear: how they are sealed is the kernel's business. */
const tenantKeys = {
  encrypt: async (_tenant: TenantId, _address: object, bytes: Uint8Array) => bytes,
  decrypt: async (_tenant: TenantId, _address: object, bytes: Uint8Array) => bytes,
} as unknown as Kernel['tenantKeys']

const facts: EntryFacts = {
  id: 'entry',
  tenant_id: 't1',
  call_id: 'call',
  request_id: 'req',
  user_id: 'user',
  key_id: null,
  route: null,
  policies: [],
  key: 'key',
  expires_at: '2026-03-01T11:00:00.000Z',
}

/** An answer that takes this many bytes in storage, including its remarks. */
function answerOf(bytes: number): CachedAnswer {
  const events = (text: string): readonly AnswerEvent[] => [{ type: 'text', choice: 0, channel: 'text', text }]
  const found = [{ rule: 'EMAIL', category: 'personal_data', action: 'flag' as const, location: '', times: 2 }]
  const facts = { provider: 'local', model: 'm', storedAtMs: 0, upstreamMs: 5, remarks: { found, dropped: [] } }
  const around = Buffer.byteLength(JSON.stringify(events('')) + JSON.stringify(facts.remarks))
  return { ...facts, events: events('x'.repeat(bytes - around)) }
}

const mebibyte = 1_048_576

test('an answer of one mebibyte is kept, and one of a byte more is not', async () => {
  const largest = await entryRow({ tenantKeys }, facts, { answer: answerOf(mebibyte), near: null })
  expect(largest?.bytes).toBe(mebibyte)
  expect(await entryRow({ tenantKeys }, facts, { answer: answerOf(mebibyte + 1), near: null })).toBeNull()
})

test('the bytes count as they are stored, not its letters', async () => {
  const euros = { type: 'text', choice: 0, channel: 'text', text: '€'.repeat(mebibyte / 3) } as const
  const answer = { ...answerOf(200), events: [euros] }
  expect(await entryRow({ tenantKeys }, facts, { answer, near: null })).toBeNull()
})

test('what is kept is what is given again', async () => {
  const answer = answerOf(200)
  const row = await entryRow({ tenantKeys }, facts, { answer, near: null })
  expect(row === null ? null : await openAnswer({ tenantKeys }, 't1' as TenantId, row)).toEqual(answer)
})
