import { expect, test } from 'vitest'
import { candidatesIn } from './hashed-words.ts'

const find = (text: string, ...values: string[]) => {
  const lengths = new Set(values.map((value) => value.length))
  const found = candidatesIn(text, lengths)
  return values.filter((value) => found.has(value))
}

test('identifiers are found in prose, in JSON and in addresses, in whatever case', () => {
  expect(find('Write to Ann.Able@People.example, please.', 'ann.able@people.example')).toHaveLength(1)
  expect(find('{"text":"Dear Ann Able,\\nK-4711-x is your number."}', 'ann able', 'k-4711-x')).toHaveLength(2)
  expect(find('https://x.example/?email=ann@people.example', 'ann@people.example')).toHaveLength(1)
  expect(find('Call +1 212 555 0147 today', '+1 212 555 0147')).toHaveLength(1)
})

test('texts of other lengths, and words too short to say anything, are no candidates', () => {
  expect(candidatesIn('some ordinary words', new Set([23])).size).toBe(0)
  expect([...candidatesIn('ann able', new Set())]).toEqual(['ann able'])
})

test('a long text without any space takes no time that grows faster than the text', () => {
  expect(candidatesIn('-'.repeat(1_000_000), new Set([10])).size).toBe(0)
  expect(candidatesIn(`a${'-'.repeat(1_000_000)}b`, new Set([10])).size).toBe(0)
  expect(candidatesIn(`${'a-'.repeat(500_000)} b`, new Set([10])).size).toBe(0)
})
