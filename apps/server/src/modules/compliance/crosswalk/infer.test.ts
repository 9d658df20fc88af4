import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Inference, indexMappings, infer, type Mapping, type SourceState } from './infer.ts'
import { type Relation, relations } from './relations.ts'

let made = 0
const mapping = (source: string, relation: Relation, target: string, rest: Partial<Mapping> = {}): Mapping => {
  made += 1
  return { ...{ id: `m${made}`, source, target, relation, coverage: null, strength: null, confidence: 1 }, ...rest }
}

const satisfied: SourceState = { result: 'satisfied', value: 1 }
const failed: SourceState = { result: 'not_satisfied', value: 0 }

function inferred(mappings: readonly Mapping[], states: Readonly<Record<string, SourceState>>): Inference {
  return infer('t 1', indexMappings(mappings), (name) => states[name] ?? null)
}

describe('one hop', () => {
  test.each<[Relation, SourceState, string | undefined, number]>([
    ['equal-to', satisfied, 'satisfied', 1],
    ['superset-of', satisfied, 'satisfied', 1],
    ['subset-of', satisfied, 'partially_satisfied', 0],
    ['intersects-with', satisfied, 'partially_satisfied', 0],
    ['no-relationship', satisfied, undefined, 0],
    ['equal-to', failed, 'not_satisfied', 0],
    ['superset-of', failed, undefined, 0],
    ['subset-of', failed, 'not_satisfied', 0],
    ['intersects-with', failed, undefined, 0],
    ['no-relationship', failed, undefined, 0],
  ])('%s', (relation, state, outcome, lower) => {
    const found = inferred([mapping('a 1', relation, 't 1')], { 'a 1': state })
    expect(found.inherited[0]?.outcome).toBe(outcome)
    expect(found.lower).toBe(lower)
  })

  test('a stated share is the lower bound, and of several the greatest counts', () => {
    const found = inferred(
      [
        mapping('a 1', 'subset-of', 't 1', { coverage: 0.4 }),
        mapping('b 1', 'intersects-with', 't 1', { strength: 5 }),
      ],
      { 'a 1': satisfied, 'b 1': { result: 'satisfied', value: 0.5 } },
    )
    expect(found).toMatchObject({ lower: 0.4, upper: 0.65, conflict: false })
  })

  test('an assumed share waits for a review', () => {
    const found = inferred([mapping('a 1', 'subset-of', 't 1')], { 'a 1': satisfied })
    expect(found).toMatchObject({ lower: 0, upper: 0.5, inherited: [{ assumed: true, k: 0.5 }] })
  })

  test('a conflict is shown', () => {
    const found = inferred([mapping('a 1', 'equal-to', 't 1'), mapping('b 1', 'subset-of', 't 1')], {
      ...{ 'a 1': satisfied, 'b 1': failed },
    })
    expect(found.conflict).toBe(true)
  })
})

describe('two hops', () => {
  test('confidence multiplies and the path is told', () => {
    const found = inferred(
      [
        mapping('a 1', 'superset-of', 'b 1', { confidence: 0.9 }),
        mapping('b 1', 'equal-to', 't 1', { confidence: 0.5 }),
      ],
      { 'a 1': satisfied },
    )
    expect(found.inherited).toEqual([
      expect.objectContaining({ path: ['a 1', 'b 1', 't 1'], outcome: 'satisfied', confidence: 0.45 }),
    ])
  })

  test('an overlap gives no share, and three hops give nothing', () => {
    const over = [mapping('a 1', 'superset-of', 'b 1'), mapping('b 1', 'subset-of', 't 1')]
    expect(inferred(over, { 'a 1': satisfied })).toMatchObject({ lower: 0, inherited: [{ k: 0 }] })
    const three = [
      mapping('a 1', 'equal-to', 'b 1'),
      mapping('b 1', 'equal-to', 'c 1'),
      mapping('c 1', 'equal-to', 't 1'),
    ]
    expect(inferred(three, { 'a 1': satisfied }).inherited).toEqual([])
  })
})

function relationBetween(a: number, b: number): Relation {
  if (a === b) return 'equal-to'
  if ((a & b) === a) return 'subset-of'
  if ((a & b) === b) return 'superset-of'
  return (a & b) === 0 ? 'no-relationship' : 'intersects-with'
}

test('never says satisfied, or not satisfied, where a model of sets says otherwise', () => {
  const set = fc.integer({ min: 1, max: 255 })
  fc.assert(
    fc.property(fc.tuple(set, set, set), set, fc.integer({ min: 0, max: 255 }), ([a, b, c], t, done) => {
      const names = [
        ['a 1', a],
        ['b 1', b],
        ['c 1', c],
      ] as const
      const mappings = [
        ...names.map(([name, of]) => mapping(name, relationBetween(of, t), 't 1')),
        mapping('a 1', relationBetween(a, b), 'b 1'),
        mapping('b 1', relationBetween(b, c), 'c 1'),
      ]
      const isDone = (of: number) => (of & done) === of
      const states = Object.fromEntries(names.map(([name, of]) => [name, isDone(of) ? satisfied : failed]))
      const { inherited, conflict } = inferred(mappings, states)
      for (const { outcome } of inherited) {
        if (outcome === 'satisfied') expect(isDone(t)).toBe(true)
        if (outcome === 'not_satisfied') expect(isDone(t)).toBe(false)
      }
      expect(conflict).toBe(false)
    }),
  )
  expect(relations).toHaveLength(5)
})
