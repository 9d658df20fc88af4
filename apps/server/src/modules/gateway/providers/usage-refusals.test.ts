import { expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { addProvider, ask, framesOf, textOf } from '../testing/support.ts'
import { type Reply, streamed } from '../testing/upstream.ts'
import type { Provider } from './provider.ts'
import { createUsageRefusals } from './usage-refusals.ts'

const here = withProvider('refusals')

/** A server that knows the form as it was, and says so as such servers do. */
const strict: Reply = (response, received) => {
  if (received.body.stream_options === undefined) return streamed(['Hello ', 'you.'])(response, received)
  response.writeHead(422, { 'content-type': 'application/json' })
  const detail = [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }]
  response.end(JSON.stringify({ detail }))
}

const streamOf = async (over: object = {}) => {
  const answer = await ask(here.tenant.admin, 'hello', { stream: true, ...over })
  return textOf(framesOf(expectStatus(answer, 200).text))
}

test('a server that refuses to be asked for usage is asked without it, and from then on at once', async () => {
  await addProvider(here.tenant.admin, 'strict', here.upstream, { models: ['strict-model'] })
  here.upstream.reply(strict)
  const asked = () => here.upstream.received.map(({ body }) => body.stream_options !== undefined)
  const before = asked().length
  expect(await streamOf({ model: 'strict-model' })).toBe('Hello you.')
  expect(await streamOf({ model: 'strict-model' })).toBe('Hello you.')
  expect(asked().slice(before)).toEqual([true, false, false])
})

test('what it refuses for another reason is refused once', async () => {
  const before = here.upstream.received.length
  here.upstream.reply((response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'no such thing' } }))
  })
  const refused = await ask(here.tenant.admin, 'hello', { stream: true })
  expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-017'])
  expect(here.upstream.received).toHaveLength(before + 1)
})

test('a refusal is forgotten after an hour, and does not hold for another address', () => {
  let now = 0
  const refusals = createUsageRefusals({ now: () => now })
  const at = (baseUrl: string) => ({ id: 'p', baseUrl }) as Provider
  refusals.learn(at('https://one.example'))
  expect([refusals.has(at('https://one.example')), refusals.has(at('https://two.example'))]).toEqual([true, false])
  now = 3_600_000
  expect(refusals.has(at('https://one.example'))).toBe(false)
})
