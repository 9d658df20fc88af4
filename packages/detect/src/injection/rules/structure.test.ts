import { describe, expect, test } from 'vitest'
import { structureHits } from './structure.ts'

const turns = (pairs: number): string =>
  Array.from({ length: pairs }, (_, i) => `user: question ${i}\nassistant: answer ${i}`).join('\n')

describe('invented turns', () => {
  test('weigh more the more there are', () => {
    const weights = [2, 4, 8, 16].map((pairs) => structureHits(turns(pairs))[0]?.weight ?? 0)
    expect(weights).toEqual([...weights].sort((a, b) => a - b))
    expect(weights[0]).toBeGreaterThan(0)
    expect(weights[3]).toBe(0.8)
  })

  test('are found with marks around the speaker, from the first turn to the last', () => {
    const text = `intro\n${turns(4).replaceAll('user:', '### human:').replaceAll('assistant:', '**ai**:')}\nend`
    expect(structureHits(text)).toMatchObject([{ family: 'many-shot', start: 6 }])
  })

  test('need both sides', () => {
    expect(structureHits('q: a\n'.repeat(20))).toEqual([])
    expect(structureHits('user: hi\nassistant: hello')).toEqual([])
    expect(structureHits('name: ann\nage: 30\nrole: user\n'.repeat(4))).toEqual([])
  })
})

describe('a flood', () => {
  test.each([
    ['one word', 'apple '.repeat(2_000)],
    ['one line', 'the quick brown fox jumps over it\n'.repeat(400)],
    ['one endless word', 'a'.repeat(40_000)],
  ])('of %s is found whole', (_, text) => {
    const [hit, ...others] = structureHits(text)
    expect(others).toEqual([])
    expect(hit).toMatchObject({ family: 'context-flooding', start: 0 })
    expect(hit?.end).toBeGreaterThan(text.length * 0.9)
  })

  test('is not seen in text that goes on saying new things', () => {
    const text = Array.from({ length: 3_000 }, (_, i) => (i % 3 === 0 ? `w${i}` : 'the')).join(' ')
    expect(structureHits(text)).toEqual([])
  })
})

test('any string is read, however broken', () => {
  for (const text of ['', '\n', '\ud800', ':', 'a:', '\0'.repeat(500), ' \n'.repeat(1_000)])
    expect(structureHits(text).every(({ start, end }) => start >= 0 && start <= end && end <= text.length)).toBe(true)
})
