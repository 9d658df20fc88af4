import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall } from '../call/call.ts'
import { boundOutput, countInput } from './bounds.ts'

const saying = (text: string, over: Partial<CanonicalCall> = {}): CanonicalCall => ({
  ...emptyCall,
  turns: [{ role: 'user', parts: [{ type: 'text', text }], toolCalls: [], toolCallId: null, name: null }],
  ...over,
})

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
    const call = saying('look')
    const [turn] = call.turns
    if (turn === undefined) throw new Error('no turn')
    const seeing = { ...call, turns: [{ ...turn, parts: [{ type: 'image' as const, url, detail: null }] }] }
    expect(countInput(seeing).atMost).toBe(3008)
  })
})

test('the output is bounded by the call, else by its model, for each of its answers', () => {
  expect(boundOutput(saying('x', { maxTokens: 100, choices: 3 }), 50)).toBe(300)
  expect(boundOutput(saying('x'), 50)).toBe(50)
  expect(boundOutput(saying('x'), null)).toBe(128_000)
  expect(boundOutput(saying('x', { embed: { inputs: ['x'], dimensions: null, encoding: null } }), 50)).toBe(0)
})
