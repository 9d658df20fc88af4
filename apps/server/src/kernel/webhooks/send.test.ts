import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { closeAll, egressWith, httpServer } from '../egress/testing/upstream.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { sendWebhook } from './send.ts'

const clock = createFakeClock()
const secrets = [{ value: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, until: null }]

afterAll(closeAll)

async function outcomeOf(listener: RequestListener, egress = egressWith()) {
  const url = `http://127.0.0.1:${await httpServer(listener)}/hook`
  return sendWebhook(
    { egress, clock },
    { id: 'msg_1', url, body: '{}', secrets, headers: { 'webhook-id': 'forged', 'x-trace': 't' } },
  )
}
const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

describe('C53 an attempt', () => {
  test('posts the body with the headers of the standard, which others cannot replace', async () => {
    const got: { headers: IncomingHttpHeaders; body: string }[] = []
    const outcome = await outcomeOf(async (request, response) => {
      got.push({ headers: request.headers, body: await text(request) })
      response.writeHead(202).end('thanks')
    })
    expect(outcome).toMatchObject({ delivered: true, status: 202, error: null, answer: 'thanks' })
    expect(got).toMatchObject([{ body: '{}', headers: { 'webhook-id': 'msg_1', 'x-trace': 't' } }])
  })

  test.each([400, 404, 429, 500, 503])('answered with %i has failed', async (status) => {
    expect(await outcomeOf(answering(status))).toMatchObject({ delivered: false, status, error: `answered ${status}` })
  })

  test('C50 follows no redirect', async () => {
    let reached = 0
    const port = await httpServer((_request, response) => {
      reached += 1
      response.end()
    })
    const outcome = await outcomeOf(answering(307, { location: `http://127.0.0.1:${port}/` }))
    expect(outcome).toMatchObject({ delivered: false, status: 307 })
    expect(reached).toBe(0)
  })

  test('reads the beginning of the answer only, and takes one that breaks off for what its status says', async () => {
    const long = await outcomeOf(answering(200, {}, 'x'.repeat(100_000)))
    expect(long).toMatchObject({ delivered: true, answer: 'x'.repeat(1_024) })
    const broken = await outcomeOf((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => response.destroy())
    })
    expect(broken).toMatchObject({ delivered: true, status: 200 })
  })

  test('tells a receiver that wants no more, and one that asks for a pause', async () => {
    expect(await outcomeOf(answering(410))).toMatchObject({ delivered: false, gone: true })
    expect(await outcomeOf(answering(503, { 'retry-after': '120' }))).toMatchObject({ retryAfterMs: 120_000 })
    const date = new Date(clock.now() + 60_000).toUTCString()
    expect((await outcomeOf(answering(503, { 'retry-after': date }))).retryAfterMs).toBeGreaterThan(58_000)
    expect(await outcomeOf(answering(503, { 'retry-after': '999999999' }))).toMatchObject({ retryAfterMs: 86_400_000 })
    expect(await outcomeOf(answering(503, { 'retry-after': 'soon' }))).toMatchObject({ retryAfterMs: null })
  })

  test('C50 to an address that is not allowed is refused, and nobody answers', async () => {
    const outcome = await outcomeOf(answering(200), egressWith({ allowedPrivate: [] }))
    expect(outcome).toMatchObject({ delivered: false, status: null })
    expect(outcome.error).toMatch(/^refused/)
  })
})
