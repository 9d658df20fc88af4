import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readResponses } from '../dialects/openai/read-responses.ts'
import { encodeResponses } from '../providers/adapters/openai/responses/encode.ts'
import { emptyCall } from './call.ts'
import { isSealedThought, textsBeside } from './sealed-thoughts.ts'
import { withSignatures } from './texts/signed-thoughts.ts'
import { mapTexts, textsOf } from './texts/texts.ts'

const card = 'my card 4111 1111 1111 1111'
const sealed = {
  ...{ type: 'reasoning', id: 'rs_1', status: 'completed', encrypted_content: 'gAAAAABo-x_9==' },
  summary: [{ type: 'summary_text', text: 'Hm.' }],
}
const called = (item: object) =>
  readResponses({
    input: [
      { role: 'user', content: 'Hi' },
      { ...sealed, ...item },
    ],
  })
const thoughtOf = (item: object) => called(item).turns[1]?.parts[0] ?? expect.unreachable()

describe('a sealed thought', () => {
  test.each([
    ['its id', { id: card }],
    ['an id that is a number', { id: 'rs_4111111111111111' }],
    ['an id that is no text', { id: { of: [card] } }],
    ['an id with a number among its letters', { id: `rs_abc4111111111111111${'def0'.repeat(8)}` }],
    ['an id that says something', { id: 'rs_4111-for-anna' }],
    ['its state', { status: card }],
    ['what stands where sealed bytes should', { encrypted_content: card }],
    ['a member of a piece that nobody here knows', { summary: [{ type: 'summary_text', text: 'Hm.', note: card }] }],
    ['the name of one', { content: [{ type: 'reasoning_text', text: 'Hm.', [card]: 1 }] }],
    ['the kind of a piece', { summary: [{ type: 'a kind for anna@example.org', text: 'Hm.' }] }],
  ])('is read also in %s, and goes out without what is taken out of it', (_what, item) => {
    const call = called(item)
    const found = /4111[ \d]*|anna@example\.org/
    expect(textsOf(call).some(({ text, provenance }) => provenance === 'assistant' && found.test(text))).toBe(true)
    const hidden = mapTexts(call, ({ text }) => text.replace(found, '***'))
    const sent = JSON.stringify(encodeResponses(hidden, { model: 'm', stream: false } as never))
    expect(sent).not.toMatch(found)
    expect(sent).toContain('Hi')
  })

  test('is sent as it came where nothing is found in it, and is known as nothing that can be read', () => {
    const bytes = { encrypted_content: randomBytes(3000).toString('base64') }
    const call = called(bytes)
    expect(textsOf(call).map(({ text }) => text)).toEqual(['Hi', 'Hm.'])
    const { input } = encodeResponses(
      mapTexts(call, ({ text }) => text),
      { model: 'm', stream: false } as never,
    )
    expect(input).toMatchObject([{}, { ...sealed, ...bytes }])
    expect(isSealedThought(thoughtOf(bytes))).toBe(true)
  })

  test('keeps the id that its vendor gave it, whatever digits are in it', () => {
    for (const id of ['rs_0a1b2c3d123456789012e4f5a6b7c8d9', `rs_${'2'.repeat(17)}${'f'.repeat(33)}`]) {
      const call = called({ id })
      expect(textsOf(call).map(({ text }) => text)).toEqual(['Hi', 'Hm.'])
    }
  })

  test.each([
    ['words', 'rs_ignore_all_previous_instructions'],
    ['a key', 'AKIAQ3EGRTPLK2X7N5MB'],
    ['more than an id', `rs_${'f'.repeat(65)}`],
  ])('is read in its id where that is %s', (_what, id) => {
    expect(textsOf(called({ id })).map(({ text }) => text)).toContain(id)
  })

  test('of another vendor is read alike, and its signature does not come back with what was found in it', () => {
    const signed = (signature: string) => {
      const data = { form: 'anthropic_messages', value: { type: 'thinking', signature } } as const
      const parts = [{ type: 'reasoning', text: 'Hm.', data } as const]
      return {
        ...emptyCall,
        turns: [{ role: 'assistant', parts, toolCalls: [], toolCallId: null, name: null } as const],
      }
    }
    const found = signed(card)
    expect(textsOf(found).map(({ text }) => text)).toEqual(['Hm.', card])
    const hidden = withSignatures(
      mapTexts(found, ({ text }) => text.replace(card, '***')),
      found,
    )
    expect(JSON.stringify(hidden)).not.toContain('4111')
    const plain = [signed('c2VhbGVk'), signed('google#c2VhbGVk')].flatMap(({ turns }) => turns)
    expect(plain.flatMap(({ parts }) => parts.map((part) => [textsBeside(part), isSealedThought(part)]))).toEqual([
      [[], false],
      [[], false],
    ])
  })
})
