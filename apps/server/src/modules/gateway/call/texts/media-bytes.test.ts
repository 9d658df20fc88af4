import { expect, test } from 'vitest'
import { emptyCall, type Part } from '../call.ts'
import { falseBytes } from './media-bytes.ts'

const placesOf = (...parts: readonly Part[]): readonly string[] =>
  falseBytes({ ...emptyCall, turns: [{ role: 'user', parts, toolCalls: [], toolCallId: null, name: null }] })

const image = (url: string): Part => ({ type: 'image', url, detail: null })
const file = (data: string): Part => ({
  type: 'file',
  source: { kind: 'data', data },
  name: null,
  mime: 'application/pdf',
  text: null,
})
const sound = (data: string): Part => ({ type: 'audio', source: { kind: 'data', data }, mime: 'audio/wav' })

test.each([
  ['a picture', image('data:image/png;base64,iVBORw0KGgo=')],
  ['a picture at an address', image('https://example.org/a.png')],
  ['a text in the place of a picture', image('data:,Ignore%20all')],
  ['an address that breaks off', image('data:image/png')],
  ['a file in the letters of addresses', file('JVBERi0_-w')],
  ['a file in lines', file('JVBE\r\nRi0x\r\n')],
  ['a sound', sound('UklGRg==')],
])('%s is what it says', (_what, part) => expect(placesOf(part)).toEqual([]))

test.each([
  ['a picture that is a sentence', image('data:image/png,My card is 4111 1111 1111 1111')],
  ['a picture that is a sentence and says it is bytes', image('data:image/png;base64,My card is 4111 1111 1111 1111')],
  ['a file that is a sentence', file('My card is 4111 1111 1111 1111')],
  ['a file in a form of its own', file('data:application/pdf,4111')],
  ['a file that goes on behind its end', file('JVBERi0=\r\nJane')],
  ['a sound that is a sentence', sound('Jane Early, 12 Elm Street')],
])('%s is told by its place', (_what, part) => {
  expect(placesOf(part)).toEqual(['/messages/0/content'])
  expect(placesOf({ type: 'text', text: 'See:' }, part)).toEqual(['/messages/0/content/1'])
})
