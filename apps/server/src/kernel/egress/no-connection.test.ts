import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { EgressError } from './errors.ts'
import { whyNoConnection } from './no-connection.ts'

const coded = (code: string) => Object.assign(new Error('10.1.2.3 failed'), { code })

test.each([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'its name has no address'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS failed, as where only http is spoken'],
])('%s is told without an address, however deep it lies', (code, words) => {
  const error = new EgressError('connect', { cause: new Error('outer', { cause: coded(code) }) })
  expect(whyNoConnection(error)).toBe(words)
})

test('a server that speaks no TLS is told as that', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const failure = await new Promise((failed) => connect({ host: '127.0.0.1', port }).once('error', failed))
  server.close()
  expect(whyNoConnection(failure)).toBe('TLS failed, as where only http is spoken')
})

test('what has no code has no words', () => {
  const own: { cause?: unknown } & Error = new Error('x')
  own.cause = own
  expect([whyNoConnection(own), whyNoConnection(coded('EOTHER')), whyNoConnection(null)]).toEqual([null, null, null])
})
