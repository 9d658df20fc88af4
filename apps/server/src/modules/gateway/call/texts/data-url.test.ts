import { expect, test } from 'vitest'
import { readDataUrl } from './data-url.ts'

test.each([
  ['data:image/png;base64,AA,A', { mime: 'image/png', hasData: true, base64: true, body: 'AA,A' }],
  ['data:Text/Plain;charset=utf-8; BASE64,YQ==', { mime: 'text/plain', hasData: true, base64: true, body: 'YQ==' }],
  ['DATA:text/html,a;base64', { mime: 'text/html', hasData: true, base64: false, body: 'a;base64' }],
  ['data:,a%20b', { mime: null, hasData: true, base64: false, body: 'a%20b' }],
  ['data:text/plain;base64', { mime: 'text/plain', hasData: false, base64: false, body: '' }],
])('takes %s apart', (url, parts) => expect(readDataUrl(url)).toEqual(parts))

test.each(['https://a.example/data:,x', ' data:,x', 'metadata:,x', ''])('finds nothing to read in %j', (url) =>
  expect(readDataUrl(url)).toBeNull(),
)
