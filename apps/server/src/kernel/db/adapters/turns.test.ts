import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

function filled(...entries: readonly string[]): Turns<string> {
  const turns = new Turns<string>()
  for (const entry of entries) turns.add(entry[0] ?? '', entry)
  return turns
}

const drained = (turns: Turns<string>, may?: (group: string) => boolean): readonly string[] => {
  const out: string[] = []
  for (let next = turns.next(may); next !== undefined; next = turns.next(may)) out.push(next)
  return out
}

test('groups take turns, and within a group who came first is first', () => {
  expect(drained(filled('a1', 'a2', 'a3', 'b1', 'c1', 'b2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a group that may not now is passed over and keeps its turn', () => {
  const turns = filled('a1', 'a2', 'b1', 'b2')
  expect(drained(turns, (group) => group !== 'a')).toEqual(['b1', 'b2'])
  expect([turns.size, turns.next()]).toEqual([2, 'a1'])
})

test('who gives up is not served, and nobody is counted twice', () => {
  const turns = filled('a1', 'a2')
  turns.remove('a', 'a1')
  turns.remove('a', 'a1')
  turns.remove('b', 'x')
  expect([turns.size, turns.takeAll(), turns.size, turns.next()]).toEqual([1, ['a2'], 0, undefined])
})
