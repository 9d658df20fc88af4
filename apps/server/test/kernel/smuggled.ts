/** Requests whose end, or whose headers, two parsers could see in two places. Bytes as they are sent. */

/** A second request hidden in the body of a first one; answered only by a server that can be fooled. */
export const hidden = 'GET /healthz HTTP/1.1\r\nhost: parapet.example\r\n\r\n'
export const head = (line: string, ...headers: readonly string[]): string =>
  `${line} HTTP/1.1\r\nhost: parapet.example\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`
export const post = (...headers: readonly string[]): string =>
  head('POST /api/v1/resilience/public', 'content-type: application/json', ...headers)
export const chunked = '12\r\n{"text":"a chunk"}\r\n0\r\n\r\n'

/** By the fault in them. */
export const smuggled: Readonly<Record<string, string>> = {
  'length and chunks': `${post('content-length: 4', 'transfer-encoding: chunked')}0\r\n\r\n${hidden}`,
  'chunks and length': `${post('transfer-encoding: chunked', 'content-length: 4')}0\r\n\r\n${hidden}`,
  'two lengths': `${post('content-length: 0', `content-length: ${hidden.length}`)}${hidden}`,
  'two equal lengths': `${post('content-length: 2', 'content-length: 2')}{}`,
  'a list of lengths': `${post('content-length: 2, 2')}{}`,
  'a signed length': `${post('content-length: +2')}{}`,
  'a hexadecimal length': `${post('content-length: 0x2')}{}`,
  'an unknown encoding': `${post('transfer-encoding: xchunked')}${chunked}`,
  'chunks twice': `${post('transfer-encoding: chunked, chunked')}${chunked}${hidden}`,
  'chunks before another encoding': `${post('transfer-encoding: chunked, identity')}${chunked}${hidden}`,
  'a space before the colon': `${post('transfer-encoding : chunked')}${chunked}`,
  'a tab before the value': `${post('transfer-encoding:\tchunked', 'content-length: 0')}${hidden}`,
  'a folded header': `${post('transfer-encoding:\r\n chunked')}${chunked}`,
  'a vertical tab': `${post('transfer-encoding: \x0bchunked')}${chunked}`,
  'a bare line feed': 'GET /healthz HTTP/1.1\nhost: parapet.example\n\n',
  'a bare carriage return': 'GET /healthz HTTP/1.1\rhost: parapet.example\r\r',
  'a line feed in a header': head('GET /healthz', 'x: 1\ny: 2'),
  'a NUL in a header': head('GET /healthz', 'x: 1\0'),
  'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
  'two hosts': head('GET /healthz', 'host: elsewhere.example'),
  'a chunk size with a sign': `${post('transfer-encoding: chunked')}+2\r\n{}\r\n0\r\n\r\n`,
  'a chunk size with a prefix': `${post('transfer-encoding: chunked')}0x2\r\n{}\r\n0\r\n\r\n`,
  'a line feed in a chunk extension': `${post('transfer-encoding: chunked')}2;a\n{}\r\n0\r\n\r\n`,
  'a chunk longer than it says': `${post('transfer-encoding: chunked')}1\r\n{}\r\n0\r\n\r\n`,
  'a chunk size beyond counting': `${post('transfer-encoding: chunked')}ffffffffffffffff1\r\n{}\r\n0\r\n\r\n`,
  'an unknown version': 'GET /healthz HTTP/1.9\r\nhost: parapet.example\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
}
