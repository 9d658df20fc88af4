import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRuleStream, type MatchAction } from './rule-stream.ts'
import { matchesIn } from './tenant-patterns.ts'

interface Run {
  readonly text: string
  readonly found: readonly string[]
  readonly blocked: boolean
}

/** `b…d` is replaced, `stop` blocks, numbers are only reported. */
function run(pieces: readonly string[], window = 16): Run {
  const found: string[] = []
  const stream = createRuleStream<string>({
    window,
    find: (piece) =>
      ['b[a-z]{1,4}d', 'stop', '\\b\\d+\\b'].flatMap((rule) =>
        matchesIn(piece, rule).map((span) => ({ ...span, rule })),
      ),
    act: ({ rule }, value): MatchAction => {
      found.push(value)
      if (rule === 'stop') return { kind: 'block' }
      return rule.startsWith('b') ? { kind: 'replace', text: '[bird]' } : { kind: 'pass' }
    },
  })
  const text = [...pieces.map((piece) => stream.push(piece)), stream.end()].join('')
  return { text, found, blocked: stream.blocked() }
}

const word = fc.constantFrom(
  'bird',
  'bad',
  'band',
  'stop',
  'sto',
  'p',
  '12',
  '345',
  ' ',
  'x',
  'ü',
  '😀',
  'bbbb',
  'birdbird',
)
const texts = fc.array(word, { maxLength: 60 }).map((words) => words.join(''))

test('what leaves and what is found do not depend on how the text is cut', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(200), { maxLength: 30 }), fc.constantFrom(16, 40, 160), (text, cuts, window) => {
      const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
      const pieces = [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : at[index - 1], end))
      expect(run(pieces, window)).toEqual(run([text], window))
      expect(run([...text], window)).toEqual(run([text], window))
    }),
  )
})

test('nothing that is replaced or blocked leaves', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { text: left, blocked } = run([...text])
      expect(left).not.toContain('stop')
      // Two replaced neighbors may leave letters that make a new word.
      if (!left.includes('[bird]')) expect(matchesIn(left, 'b[a-z]{1,4}d')).toEqual([])
      if (!blocked && !left.includes('[bird]')) expect(left).toBe(text)
    }),
  )
})

test('a block ends the text before its match', () => {
  const text = `${'a'.repeat(300)} stop ${'b'.repeat(300)}`
  expect(run([text])).toEqual({ text: `${'a'.repeat(300)} `, found: ['stop'], blocked: true })
})

test('what has left and what is held are the text, also after a failure', () => {
  const text = 'nothing in it but words, and more of them until it breaks here and goes on'
  const stream = createRuleStream<string>({
    window: 16,
    find: (piece) => {
      if (piece.includes('breaks')) throw new Error('broken')
      return []
    },
    act: () => ({ kind: 'pass' }),
  })
  let left = ''
  expect(() => {
    for (const character of text) left += stream.push(character)
  }).toThrow('broken')
  expect(left).not.toBe('')
  expect(text.startsWith(left + stream.held())).toBe(true)
  expect(left + stream.held()).toContain('breaks')
})
