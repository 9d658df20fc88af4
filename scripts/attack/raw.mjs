/** Requests whose end two parsers could see in two places, or that never end, as bytes; and what comes back for them. */
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

const head = (line, ...headers) =>
  `${line} HTTP/1.1\r\nhost: HOST\r\n${headers.map((one) => `${one}\r\n`).join('')}\r\n`
const post = (...headers) => head('POST /api/v1/auth/login', 'content-type: application/json', ...headers)
const hidden = head('GET /healthz')
const chunked = '2\r\n{}\r\n0\r\n\r\n'

const ambiguous = {
  'length and chunks': `${post('content-length: 4', 'transfer-encoding: chunked')}0\r\n\r\n${hidden}`,
  'chunks and length': `${post('transfer-encoding: chunked', 'content-length: 4')}0\r\n\r\n${hidden}`,
  'two lengths': `${post('content-length: 0', `content-length: ${hidden.length}`)}${hidden}`,
  'a signed length': `${post('content-length: +2')}{}`,
  'a hexadecimal length': `${post('content-length: 0x2')}{}`,
  'an unknown encoding': `${post('transfer-encoding: xchunked')}${chunked}`,
  'a space before the colon': `${post('transfer-encoding : chunked')}${chunked}`,
  'a chunk size with a prefix': `${post('transfer-encoding: chunked')}0x2\r\n{}\r\n0\r\n\r\n`,
  'a chunk longer than it says': `${post('transfer-encoding: chunked')}1\r\n{}\r\n0\r\n\r\n`,
  'two hosts': head('GET /healthz', 'host: elsewhere.example'),
  'a NUL in a header': head('GET /healthz', 'x: 1\0'),
  'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
}

const tooMuch = {
  'headers of 70 kB': head('GET /healthz', `x-long: ${'x'.repeat(70_000)}`),
  'an address of 70 kB': head(`GET /healthz?${'x'.repeat(70_000)}`),
  'a body announced with 100 MB': post('content-length: 104857600', 'connection: close'),
}

const attempts = (control, list, refusals) =>
  Object.entries(list).map(([what, bytes]) => ({ control, what, bytes, refusals }))

/** With the statuses that a server or a proxy before it may refuse each with. */
export const rawAttempts = [
  ...attempts('C21', ambiguous, [400, 401, 403, 404, 405, 411, 415, 421, 429, 431, 500, 501, 502]),
  ...attempts('C22', tooMuch, [400, 413, 414, 429, 431, 494]),
]

/** Statuses of all answers, until the other side closes or the time is over. */
export function answersTo(address, bytes, timeoutMs) {
  const { protocol, hostname, port, host } = new URL(address)
  const name = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket =
      protocol === 'https:'
        ? connectTls({ host: name, port: Number(port || 443), servername: name, ALPNProtocols: ['http/1.1'] })
        : connect({ host: name, port: Number(port || 80) })
    let text = ''
    const end = () => resolve([...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status)))
    socket.setTimeout(timeoutMs, () => socket.destroy())
    socket.on(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      // Our side is closed behind the last byte, so that nobody waits for more.
      socket.end(bytes.replaceAll('HOST', host), 'latin1')
    })
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('error', (error) => (text === '' && error.code === 'ECONNREFUSED' ? reject(error) : end()))
    socket.on('close', end)
  })
}
