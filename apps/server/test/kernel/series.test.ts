/** Caller-controlled text in requests adds no metric series. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { held } from '../support/matrices.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ own: true })
})
afterAll(() => world.close())

interface Shape {
  readonly method?: 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string | object
}

/** A request with this text wherever a stranger may write. */
const shapes: readonly ((text: string) => Shape)[] = [
  (text) => ({ url: `/${encodeURIComponent(text)}` }),
  (text) => ({ url: `/api/v1/${encodeURIComponent(text)}/${encodeURIComponent(text)}` }),
  (text) => ({ url: `/api/v1/iam/users/${encodeURIComponent(text)}` }),
  (text) => ({ url: `/errors/${encodeURIComponent(text)}` }),
  (text) => ({ url: '/healthz', headers: { 'user-agent': text, 'x-request-id': text, traceparent: text } }),
  (text) => ({ url: '/api/v1/iam/users', headers: { authorization: `Bearer ${text}`, 'x-tenant-id': text } }),
  (text) => ({ url: `/api/v1/iam/users?${encodeURIComponent(text)}=${encodeURIComponent(text)}` }),
  (text) => ({ method: 'POST', url: '/api/v1/auth/refresh', payload: { refresh_token: text, [text]: text } }),
  (text) => ({ method: 'POST', url: '/api/v1/auth/refresh', headers: { 'content-type': text }, payload: text }),
  (text) => ({ method: 'POST', url: '/api/v1/gateway/openai/v1/chat/completions', payload: { model: text } }),
  (text) => ({ method: 'DELETE', url: `/scim/v2/Users/${encodeURIComponent(text)}` }),
  (text) => ({ url: `/api/v1/auth/sso/${encodeURIComponent(text)}/callback?state=${encodeURIComponent(text)}` }),
]

/** Counts without labels, and those of background work, begin when the first of its kind is done: no text makes them more. */
const isOwn = (line: string): boolean => !line.includes('{') || line.startsWith('parapet_job_')

/** Names of the series, without the numbers. */
async function series(): Promise<ReadonlySet<string>> {
  const lines = (await world.kernel.metrics.render()).split('\n')
  return new Set(
    lines
      .filter((line) => line !== '' && !line.startsWith('#') && !isOwn(line))
      .map((line) => line.replace(/ [^ }]*$/, '')),
  )
}

/** As a header takes it. */
const texts = fc.string({
  minLength: 1,
  maxLength: 40,
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
})

test('C62 series are the same before and after thousands of requests with texts that nobody has written before', {
  timeout: 120_000,
}, async () => {
  let sent = 0
  const send = async (text: string): Promise<void> => {
    // A different address each time, because requests per address are limited.
    for (const shape of shapes) {
      sent += 1
      const remoteAddress = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`
      const { statusCode } = await world.program.app.inject({ ...shape(text), remoteAddress })
      expect(statusCode).toBeLessThan(500)
    }
  }
  // A dot is no segment of a path: with it the first shape asks for the page at the root.
  for (const text of ['known', 'a b', '%zz', '"}{', '.']) await send(text)
  const before = await series()
  expect([...before].filter((name) => name.includes('http_request')).length).toBeGreaterThan(20)
  sent = 0
  await fc.assert(fc.asyncProperty(texts, send), { numRuns: 850 })
  const grown = [...(await series())].filter((name) => !before.has(name))
  expect(grown).toEqual([])
  held('requests that leave the series of metrics alone', sent)
})
