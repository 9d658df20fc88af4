import { expect, test } from 'vitest'
import type { FilePart } from '../call.ts'
import { dataUrlOf, textOfDataUrl, withEmbeddedText } from './embedded-text.ts'

const file = (mime: string | null, bytes: string | Uint8Array): FilePart => ({
  type: 'file',
  name: 'a',
  mime,
  text: null,
  source: { kind: 'data', data: Buffer.from(bytes).toString('base64') },
})

test.each(['text/csv', 'text/plain', 'application/json', 'application/ld+json', 'image/svg+xml', 'TEXT/HTML'])(
  'bytes of %s are text',
  (mime) => expect(withEmbeddedText(file(mime, 'a,ü'))).toMatchObject({ text: 'a,ü', source: { kind: 'data' } }),
)

test.each([
  ['application/pdf', '%PDF'],
  ['image/png', 'PNG'],
  [null, 'text'],
  ['text/plain', Uint8Array.of(0xff, 0xfe, 0x41)],
])('bytes of %s stay bytes where they are none', (mime, bytes) => {
  expect(withEmbeddedText(file(mime, bytes)).text).toBeNull()
})

test('addresses that hold text', () => {
  expect(textOfDataUrl('data:text/plain;charset=utf-8;base64,YWI=')).toBe('ab')
  expect(textOfDataUrl('data:,a%20b')).toBe('a b')
  expect(textOfDataUrl('data:text/html,100%')).toBe('100%')
  expect(textOfDataUrl('data:image/png;base64,YWI=')).toBeNull()
  expect(textOfDataUrl('data:text/plain')).toBeNull()
  expect(textOfDataUrl(dataUrlOf('100 % ü\n,;'))).toBe('100 % ü\n,;')
})
