import { beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'

const here = withProvider('bounds')

beforeAll(() => onlyPolicy(here.tenant, { models: { max_output_tokens: 500 } }))

/** Bounds on the answer recorded in a call's steps, by step, with the limit that was sent. */
async function boundsOf(over: object) {
  const { admin } = here.tenant
  const { data } = expectStatus(await ask(admin, 'hello', over), 200).body
  const { steps } = expectStatus(await admin.get(`/gateway/requests/${data.id}`), 200).body.data
  const bounds = steps.filter((step: object) => 'max_tokens' in step)
  return {
    sent: here.upstream.received.at(-1)?.body.max_tokens,
    decision: data.security.policy_violations,
    bounds: bounds.map(({ name, max_tokens: bound }: { name: string; max_tokens: object }) => ({ name, ...bound })),
  }
}

test('a log row says where a policy let an answer have fewer tokens than were asked for', async () => {
  expect(await boundsOf({ max_tokens: 9000 })).toEqual({
    sent: 500,
    decision: [],
    bounds: [{ name: 'policy_resolution', asked: 9000, sent: 500, source: 'policy' }],
  })
})

test('and where it bounded an answer that nobody had', async () => {
  const bounds = [{ name: 'policy_resolution', asked: null, sent: 500, source: 'policy' }]
  expect((await boundsOf({})).bounds).toEqual(bounds)
})

test('a call within the bounds has nothing to say', async () => {
  expect(await boundsOf({ max_tokens: 500 })).toEqual({ sent: 500, decision: [], bounds: [] })
})

test('a limit of the model is told apart from one of the policy', async () => {
  const { admin } = here.tenant
  await addProvider(admin, 'small', here.upstream, { models: ['small-model'] })
  const list = expectStatus(await admin.get('/gateway/models'), 200).body.data
  const { id } = list.find(({ key }: { key: string }) => key === 'small/small-model')
  expectStatus(await admin.patch(`/gateway/models/${id}`, { max_output_tokens: 50 }), 200)
  expect(await boundsOf({ model: 'small-model', max_tokens: 300 })).toMatchObject({
    sent: 50,
    bounds: [{ name: 'upstream_call', asked: 300, sent: 50, source: 'model' }],
  })
  expect((await boundsOf({ model: 'small-model', max_tokens: 9000 })).bounds).toEqual([
    { name: 'policy_resolution', asked: 9000, sent: 500, source: 'policy' },
    { name: 'upstream_call', asked: 500, sent: 50, source: 'model' },
  ])
})
