import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAll, egressWith, failure } from '../egress/testing/upstream.ts'
import { sendThroughRelay } from './tenant-relay.ts'
import { type MailSink, openMailSink } from './testing/mail-sink.ts'

let sink: MailSink
beforeAll(async () => {
  sink = await openMailSink()
})
afterAll(async () => {
  await sink.close()
  await closeAll()
})

const relay = () => {
  const { hostname: host, port } = new URL(sink.url)
  return { host, port: Number(port), tls: false, from: 'p@acme.example', user: null, password: null }
}
const letter = { to: ['a@acme.example', 'b@acme.example'], subject: 'S\r\nBcc: eve@evil.example', text: 'Hello' }

test('a letter reaches all of its receivers and no others', async () => {
  expect(await sendThroughRelay(egressWith(), relay(), letter)).toMatch(/^250/)
  expect(sink.newestTo('b@acme.example')?.to).toEqual(letter.to)
})

test('a relay that the guard refuses is never spoken to', async () => {
  const hidden = { ...relay(), host: '169.254.169.254', port: 25 }
  expect((await failure(sendThroughRelay(egressWith(), hidden, letter))).rule).not.toBeNull()
})
