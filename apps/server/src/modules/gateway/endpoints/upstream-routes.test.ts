/** Every way in which a provider misbehaves, alone and with another target as a fallback. */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { drip, errorEvent, html, quietAfter, reset, tooLarge } from '../testing/misbehave.ts'
import { framesOf, textOf } from '../testing/support.ts'
import { noWait, openTwoProviders, type TwoProviders } from '../testing/two-providers.ts'
import { fail, hang, type Reply, raw, say, streamed } from '../testing/upstream.ts'

let at: TwoProviders

beforeAll(async () => {
  at = await openTwoProviders('misbehaving')
})

afterAll(() => at?.close())

afterEach(() => {
  at.first.received.splice(0)
  at.second.received.splice(0)
  at.first.reply(say('Hello.'))
  at.second.reply(say('From the second.'))
})

interface Case {
  readonly reply: Reply
  readonly status: number
  readonly code: string
  readonly attempts: readonly string[]
  readonly stream?: boolean
}

const cases: Readonly<Record<string, Case>> = {
  'a reset': { reply: reset, status: 502, code: 'GW-011', attempts: ['broken', 'broken', 'broken'] },
  'status 500': { reply: fail(500), status: 502, code: 'GW-011', attempts: Array(3).fill('server_error') },
  'status 529': { reply: fail(529), status: 502, code: 'GW-011', attempts: Array(3).fill('server_error') },
  'status 429': { reply: fail(429, { 'retry-after': '7' }), status: 429, code: 'GW-016', attempts: ['rate_limited'] },
  'status 401': { reply: fail(401), status: 502, code: 'GW-015', attempts: ['credential'] },
  'no first byte': { reply: hang, status: 502, code: 'GW-012', attempts: ['timeout'] },
  'a gap in the answer': { reply: quietAfter('{"choices":'), status: 502, code: 'GW-012', attempts: ['timeout'] },
  'an answer that never ends': { reply: drip, status: 502, code: 'GW-012', attempts: ['timeout'] },
  'no JSON': { reply: raw('not json'), status: 502, code: 'GW-013', attempts: ['invalid'] },
  'another form': { reply: raw('{"choices":[]}'), status: 502, code: 'GW-013', attempts: ['invalid'] },
  'a page of HTML': { reply: html, status: 502, code: 'GW-013', attempts: ['invalid'] },
  'a page of HTML for a stream': { reply: html, status: 502, code: 'GW-013', attempts: ['invalid'], stream: true },
  'an answer that is too large': { reply: tooLarge, status: 502, code: 'GW-013', attempts: ['invalid'] },
  'an error event in a stream': {
    reply: errorEvent({ message: 'overloaded', type: 'server_error' }),
    status: 502,
    code: 'GW-011',
    attempts: Array(3).fill('server_error'),
    stream: true,
  },
  'an error event that limits': {
    reply: errorEvent({ message: 'slow down', type: 'rate_limit_error' }),
    status: 429,
    code: 'GW-016',
    attempts: ['rate_limited'],
    stream: true,
  },
  'a stream without content': {
    reply: streamed([], { broken: true }),
    status: 502,
    code: 'GW-011',
    attempts: Array(3).fill('broken'),
    stream: true,
  },
}

describe.each(Object.entries(cases))('%s', (_name, { reply, status, code, attempts, stream = false }) => {
  test('alone ends the call', async () => {
    const route = await at.one(noWait)
    at.first.reply(reply)
    const answer = await at.call(route, { stream })
    expect([answer.status, answer.body.error_code]).toEqual([status, code])
    expect(await at.attemptsOf(answer.body.log_id)).toEqual(attempts)
    expect(at.first.received).toHaveLength(attempts.length)
    expect(answer.text).not.toContain('sk-test')
  })

  test('leads to the next target', async () => {
    const route = await at.two(noWait)
    at.first.reply(reply)
    at.second.reply(stream ? streamed(['From the second.']) : say('From the second.'))
    const answer = await at.call(route, { stream })
    expect(answer.status).toBe(200)
    const frames = stream ? framesOf(answer.text) : []
    const data = stream ? frames.at(-2)?.data.data : answer.body.data
    expect(stream ? textOf(frames) : data.choices[0].message.content).toBe('From the second.')
    expect(data.provider).toMatch(/^second/)
    expect(await at.attemptsOf(data.id)).toEqual([attempts[0], 'ok'])
  })
})

describe('a connection that is refused', () => {
  test('is tried again, then the provider did not answer', async () => {
    const answer = await at.call(await at.one(noWait, 'nobody'))
    expect([answer.status, answer.body.error_code]).toEqual([502, 'GW-011'])
    expect(answer.body.detail).toMatch(/^The provider \S+ could not be reached: connection refused\.$/)
    expect(await at.attemptsOf(answer.body.log_id)).toEqual(['connect', 'connect', 'connect'])
  })

  test('leads to the next target', async () => {
    const answer = await at.call(await at.two(noWait, 'nobody'))
    expect(answer.body.data.provider).toMatch(/^second/)
  })
})

test('a provider that answers with an error is not told as one that did not answer', async () => {
  for (const _ of Array.from({ length: 3 })) at.first.reply(fail(503))
  const answer = await at.call(await at.one(noWait))
  expect([answer.status, answer.body.error_code]).toEqual([502, 'GW-011'])
  expect(answer.body.detail).toMatch(/^The provider \S+ answered with status 503\.$/)
})

describe('an answer that cannot be used', () => {
  const page = `<html>Sign in with sk-${'a1'.repeat(30)}</html>`

  test('is known to administrators by its digest alone where it comes from a private network, and to nobody else', async () => {
    at.first.reply(raw(page))
    const refused = await at.call(await at.one())
    const shown = await at.admin.get(`/gateway/requests/${refused.body.log_id}`)
    expect(shown.body.data.attempts[0].answer).toEqual({
      sha256: createHash('sha256').update(page).digest('hex'),
      beginning: '[not kept: it comes from a private network]',
    })
    const auditor = await at.as('auditor')
    const seen = await auditor.get(`/gateway/requests/${refused.body.log_id}`)
    expect(seen.body.data.attempts).toMatchObject([{ ok: false, reason: expect.stringContaining('invalid') }])
    expect(seen.body.data.attempts[0]).not.toHaveProperty('answer')
    const listed = await auditor.get('/gateway/requests?limit=5')
    expect(JSON.stringify(listed.body)).not.toContain('Sign in with')
  })
})

describe('a request that is refused', () => {
  test.each([
    [fail(400), 'bad_request'],
    [fail(404), 'bad_request'],
    [fail(422), 'bad_request'],
    [says(400, "This model's maximum context length is 8192 tokens."), 'context_too_long'],
    [says(400, 'The response was filtered due to the content management policy.'), 'content_filtered'],
  ])('is passed on once, and goes elsewhere only where the route says so (%#)', async (reply, cause) => {
    const route = await at.two()
    at.first.reply(reply)
    const refused = await at.call(route)
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-017'])
    expect(await at.attemptsOf(refused.body.log_id)).toEqual([cause])
    const willing = await at.call(await at.two({ fallback_on: [cause] }))
    expect(willing.body.data.provider).toMatch(/^second/)
  })

  test('says nothing about the provider', async () => {
    const route = await at.one()
    at.first.reply(fail(400))
    for (let time = 0; time < 12; time += 1) expect((await at.call(route)).body.error_code).toBe('GW-017')
  })
})

describe('a provider’s own filter', () => {
  const filtered = raw(
    JSON.stringify({ choices: [{ index: 0, message: { content: null }, finish_reason: 'content_filter' }] }),
  )

  test('is an answer, or a reason to ask the next where the route says so', async () => {
    at.first.reply(filtered)
    expect((await at.call(await at.two())).body.data.choices[0].finish_reason).toBe('content_filter')
    const answer = await at.call(await at.two({ fallback_on: ['content_filtered'] }))
    expect(answer.body.data.provider).toMatch(/^second/)
  })
})

describe('a rate limit', () => {
  test('of one key leads to the other', async () => {
    at.first.reply(fail(429, { 'retry-after': '9' }), say('By the other key.'))
    const helped = await at.call(await at.one({}, 'pooled'))
    expect(helped.body.data.choices[0].message.content).toBe('By the other key.')
    expect(new Set(at.first.received.map(({ authorization }) => authorization)).size).toBe(2)
  })

  test('of every key leads to the next target, and the keys rest', async () => {
    const route = await at.two({}, 'pooled')
    at.first.reply(fail(429, { 'retry-after': '9' }))
    for (let time = 0; time < 3; time += 1) expect((await at.call(route)).body.data.provider).toMatch(/^second/)
    expect(at.first.received).toHaveLength(2)
  })

  test('of all targets is told with the smallest wait', async () => {
    const route = await at.two()
    at.first.reply(fail(429, { 'retry-after': '30' }))
    at.second.reply(fail(429, { 'retry-after-ms': '4000' }))
    const answer = await at.call(route)
    expect([answer.status, answer.body.error_code, answer.headers['retry-after']]).toEqual([429, 'GW-016', '4'])
  })
})

describe('a key that is refused', () => {
  test('is not tried again while another works', async () => {
    const route = await at.one({}, 'pooled')
    const wrong =
      (reply: Reply): Reply =>
      (response, received) =>
        received.authorization?.includes('one') === true ? fail(401)(response, received) : reply(response, received)
    at.first.reply(wrong(say('Right key.')))
    for (let time = 0; time < 6; time += 1) expect((await at.call(route)).status).toBe(200)
    expect(at.first.received.filter(({ authorization }) => authorization?.includes('one')).length).toBeLessThanOrEqual(
      1,
    )
  })
})

describe('a stream that breaks after its first content', () => {
  test('ends with an error event, and nobody else is asked', async () => {
    at.first.reply(
      streamed(['Half an answer that is long enough to be released at once, '.repeat(4)], { broken: true }),
    )
    const answer = await at.call(await at.two(), { stream: true })
    const frames = framesOf(answer.text)
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-014' } })
    expect(frames.some(({ event }) => event === 'done')).toBe(false)
    expect(at.second.received).toHaveLength(0)
  })

  test('with a gap ends with the timeout', async () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'Some words that are released. '.repeat(9) } }] }
    at.first.reply(quietAfter(`data: ${JSON.stringify(chunk)}\n\n`, 'text/event-stream'))
    const answer = await at.call(await at.two(), { stream: true })
    expect(framesOf(answer.text).at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-012' } })
  })
})

function says(status: number, message: string): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message } }))
  }
}
