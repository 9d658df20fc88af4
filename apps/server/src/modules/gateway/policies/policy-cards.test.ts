/** A policy that keeps card numbers in, independent of the preceding word and of their notation. */
import { expect, test } from 'vitest'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { ask } from '../testing/support.ts'

const at = withProvider('cards')

const digits = '4111111111111111'
test.each([
  ['Order', '4111 1111 1111 1111'],
  ['Order no.', digits],
  ['order number:', '4111-1111-1111-1111'],
  ['Order', '4111\t1111\t1111\t1111'],
  ['Order', '4111\n1111\n1111\n1111'],
  ['invoice', [...digits].join('\u200b')],
  ['item', '4111\u00ad1111\u00ad1111\u00ad1111'],
  ['ticket', Buffer.from(digits).toString('base64')],
])('after “%s” a card number never leaves: %j', async (word, card) => {
  await onlyPolicy(at.tenant, { sensitive_data: { entities: { CREDIT_CARD: { action: 'block' } } } })
  const before = at.upstream.received.length
  const answer = await ask(at.tenant.admin, `${word} ${card} please`)
  expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-004'])
  expect(at.upstream.received.length).toBe(before)
})
