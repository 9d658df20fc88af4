/** Texts with more candidates for personal data than the detectors judge. */
import { beforeEach, expect, test } from 'vitest'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { ask } from '../testing/support.ts'
import { say } from '../testing/upstream.ts'

const at = withProvider('unread')

beforeEach(() => {
  at.upstream.received.splice(0)
  at.upstream.reply(say('Hello.'))
})

/** House numbers, each with a state: none is an address, all have to be judged. */
const flood = '1 TN '.repeat(120_000)
const asked = () => ask(at.tenant.admin, `${flood} and write to jane.early@example.org`)

test.each([
  ['closed', { failure: { sensitive_data: 'closed' } }],
  ['open', { failure: { sensitive_data: 'open' } }],
])('it is refused under a policy that hides personal data and fails %s', async (_how, policy) => {
  await onlyPolicy(at.tenant, policy)
  const { status, body } = await asked()
  expect(status).toBe(503)
  expect(body.error_code).toBe('GW-019')
  expect(at.upstream.received).toEqual([])
  const { steps } = (await at.tenant.admin.get(`/gateway/requests/${body.log_id}`)).body.data
  expect(steps.find(({ n }: { n: number }) => n === 7)).toMatchObject({ decision: 'block', failed: true })
})

test('an ordinary text of the same length is not refused', async () => {
  await onlyPolicy(at.tenant, {})
  const { status } = await ask(at.tenant.admin, `${'The ferry is in. '.repeat(35_000)} write to jane.early@example.org`)
  expect(status).toBe(200)
  expect(JSON.stringify(at.upstream.received.at(-1)?.body)).not.toContain('jane.early')
})
