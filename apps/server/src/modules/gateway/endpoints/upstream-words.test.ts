/** A provider's error text is treated like an answer on its way to the caller and the log. */
import { expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { ask } from '../testing/support.ts'
import type { Reply } from '../testing/upstream.ts'

const at = withProvider('words')

const said = 'Nothing found for jane.early@example.org with project bluebird'

const refusing: Reply = (response) => {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: said } }))
}
const breaking: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const choices = [{ index: 0, delta: { content: 'Hello there. ' }, finish_reason: null }]
  response.write(`data: ${JSON.stringify({ id: 'x', model: 'm', choices })}\n\n`)
  const error = { message: said, type: 'invalid_request_error', code: 400 }
  response.end(`data: ${JSON.stringify({ error })}\n\n`)
}

const terms = {
  denied_terms: [{ id: 'bird', terms: ['project bluebird'], match: 'word', action: 'redact', on: ['output'] }],
}

test.each<[string, Reply, object]>([
  ['a refusal', refusing, {}],
  ['an error in a stream', breaking, { stream: true }],
])('%s is told without what the policy hides of answers', async (_what, reply, over) => {
  await onlyPolicy(at.tenant, { content: terms })
  at.upstream.reply(reply)
  const { text } = await ask(at.tenant.admin, 'Find it', over)
  expect(text).toContain('Nothing found for ⟦EMAIL⟧')
  expect(text).not.toMatch(/jane\.early|bluebird/)
  const [{ id }] = (await at.tenant.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
  const logged = expectStatus(await at.tenant.admin.get(`/gateway/requests/${id}`), 200)
  expect(logged.text).toContain('GW-017')
  expect(logged.text).not.toMatch(/jane\.early|bluebird/)
})

test('it is told as it came where the policy only watches', async () => {
  await onlyPolicy(at.tenant, { mode: 'monitor' })
  at.upstream.reply(refusing)
  expect((await ask(at.tenant.admin, 'Find it')).text).toContain('jane.early@example.org')
})
