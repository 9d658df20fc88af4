import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall, type Part, type Tool } from '../call/call.ts'
import { withEmbeddedText } from '../call/texts/embedded-text.ts'
import { boundOutput, countInput } from './bounds.ts'

const saying = (text: string, over: Partial<CanonicalCall> = {}): CanonicalCall => ({
  ...emptyCall,
  turns: [{ role: 'user', parts: [{ type: 'text', text }], toolCalls: [], toolCallId: null, name: null }],
  ...over,
})

const turn = { role: 'user' as const, toolCalls: [], toolCallId: null, name: null }
const withParts = (parts: readonly Part[]): CanonicalCall => ({ ...emptyCall, turns: [{ ...turn, parts }] })
const called = (text: string, toolCalls = [{ id: 'c1', name: 'send', arguments: text }]): CanonicalCall => ({
  ...emptyCall,
  turns: [{ ...turn, role: 'assistant', parts: [], toolCalls }],
})
const fileOf = (mime: string, data: string) =>
  ({ type: 'file', name: null, mime, text: null, source: { kind: 'data', data } }) as const
const wordsAsBytes = Buffer.from('word '.repeat(200)).toString('base64')
const many = Array.from({ length: 100 }, (_, n) => `member_${n}`)
const tool = (properties: object): Tool => {
  const parameters = { type: 'object', properties }
  return { kind: 'function', name: 'send', description: null, strict: null, parameters }
}
const format = { type: 'json_schema', name: 'x', strict: null } as const
const sealed = { form: 'openai_responses', value: { encrypted_content: 'A'.repeat(1000) } } as const

describe('the bound of the input', () => {
  test('is half a token a byte and some for what vendors put around', () => {
    expect(countInput(saying('a'.repeat(100)))).toEqual({ atMost: 58, about: 33 })
  })

  test('never falls when a call grows, and is never below the estimate', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, more) => {
        const [small, large] = [countInput(saying(text)), countInput(saying(text + more))]
        expect(small.atMost).toBeLessThanOrEqual(large.atMost)
        expect(small.about).toBeLessThanOrEqual(small.atMost)
      }),
    )
  })

  test('counts an image as an image and not as the letters of its data', () => {
    const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`
    expect(countInput(withParts([{ type: 'image', url, detail: null }])).atMost).toBe(3008)
    const held = { type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: url } }
    const extra = [{ form: 'openai_responses' as const, at: '/input/1', value: held }]
    expect(countInput(saying('look', { extra })).atMost).toBeLessThan(3100)
  })

  test.each([
    ['text that begins like data', saying(`data: ${'word '.repeat(200)}`)],
    ['text that is the data of an image', saying(`data:image/png;base64,${'A'.repeat(1000)}`)],
    [
      'an image that is text',
      withParts([{ type: 'image', url: `data:text/plain,${'word '.repeat(200)}`, detail: null }]),
    ],
    ['an address that breaks off', withParts([{ type: 'image', url: `data:${'word'.repeat(250)}`, detail: null }])],
    ['a file that is text', withParts([fileOf('text/plain', wordsAsBytes)])],
    ['numbers in arguments', called(JSON.stringify({ v: Array.from({ length: 300 }, (_, n) => n) }))],
    ['names in arguments', called(JSON.stringify(Object.fromEntries(many.map((name) => [name, 0]))))],
    ['data in arguments', called(JSON.stringify({ image_url: `data:image/png;base64,${'A'.repeat(1000)}` }))],
    [
      'names in the schema of a tool',
      saying('x', { tools: [tool(Object.fromEntries(many.map((name) => [name, {}])))] }),
    ],
    ['the schema of an answer', saying('x', { format: { ...format, schema: { enum: many } } })],
    ['thinking that only its vendor can read', withParts([{ type: 'reasoning', text: '', data: sealed }])],
    ['what only a vendor understands', saying('x', { extra: [{ form: 'openai_chat', at: '/x', value: many }] })],
  ])('counts %s', (_, call) => {
    expect(countInput(call).atMost).toBeGreaterThan(450)
    expect(countInput(call).atMost).toBeLessThan(1200)
  })

  test('counts a file whose text was read from its bytes once', () => {
    const read = withEmbeddedText(fileOf('text/plain', wordsAsBytes))
    expect(countInput(withParts([read]))).toEqual(countInput(saying('word '.repeat(200))))
  })

  test('counts what stands around each call of a tool', () => {
    const toolCalls = Array.from({ length: 10 }, (_, n) => ({ id: `c${n}`, name: 'a', arguments: '{}' }))
    expect(countInput(called('{}', toolCalls)).about).toBeGreaterThanOrEqual(80)
  })
})

test('the output is bounded by the call, else by its model, for each of its answers', () => {
  expect(boundOutput(saying('x', { maxTokens: 100, choices: 3 }), 50)).toBe(300)
  expect(boundOutput(saying('x'), 50)).toBe(50)
  expect(boundOutput(saying('x'), null)).toBe(128_000)
  expect(boundOutput(saying('x', { embed: { inputs: ['x'], dimensions: null, encoding: null } }), 50)).toBe(0)
})
