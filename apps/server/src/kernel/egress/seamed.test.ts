import { expect, test } from 'vitest'
import { Aborter } from '../base/abort.ts'
import { createFaults, type Fault } from '../faults/seams.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import type { EgressRequest, EgressResponse } from './exchange.ts'
import type { Egress } from './fetch.ts'
import { tenantEgress } from './seamed.ts'

const request: EgressRequest = {
  ...{ url: 'https://hooks.example/', method: 'POST', headers: {}, maxBytes: 1_000 },
  timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
}

function open(fault: Fault | null) {
  const sent: string[] = []
  const egress = {
    fetch: async ({ url }: EgressRequest) => {
      sent.push(url)
      return { status: 200 } as EgressResponse
    },
  } as unknown as Egress
  const [faults, clock] = [createFaults(), createFakeClock()]
  const asked: object[] = []
  const disarm = faults.arm('http_out', ({ tenantId, target }) => {
    asked.push({ tenantId, target })
    return tenantId === 'a' ? fault : null
  })
  const of = (tenantId: string) => tenantEgress({ egress, faults, clock }, { tenantId, target: 'platform.delivery' })
  return { sent, asked, clock, disarm, of }
}

test('a call of one tenant finds no connection and is not sent, that of another is', async () => {
  const { sent, asked, of, disarm } = open({ failure: { kind: 'unavailable' } })
  await expect(of('a').fetch(request)).rejects.toMatchObject({ name: 'EgressError', kind: 'connect' })
  expect(sent).toEqual([])
  expect((await of('b').fetch(request)).status).toBe(200)
  disarm()
  expect((await of('a').fetch(request)).status).toBe(200)
  expect([sent.length, asked]).toEqual([
    2,
    [
      { tenantId: 'a', target: 'platform.delivery' },
      { tenantId: 'b', target: 'platform.delivery' },
    ],
  ])
})

test('a rate limit is an answer with the pause that the receiver asks for', async () => {
  const { sent, of } = open({ failure: { kind: 'rate_limited', retryAfterMs: 7_000 } })
  const answer = await of('a').fetch(request)
  expect([answer.status, answer.headers['retry-after'], sent]).toEqual([429, '7', []])
  expect((await answer.bytes()).length).toBe(answer.received())
})

test('a silent receiver is a time limit, and a delay ends with its call', async () => {
  await expect(
    open({ failure: { kind: 'timeout' } })
      .of('a')
      .fetch(request),
  ).rejects.toMatchObject({
    kind: 'timeout_first_byte',
  })
  const { of, sent } = open({ delayMs: 60_000 })
  const signal = new Aborter()
  const held = of('a').fetch({ ...request, signal })
  signal.abort(new Error('the job ended'))
  await expect(held).rejects.toMatchObject({ kind: 'aborted' })
  expect(sent).toEqual([])
})
