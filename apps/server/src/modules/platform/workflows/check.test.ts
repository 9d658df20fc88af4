import { describe, expect, test } from 'vitest'
import { fits } from '../../../kernel/schema/fits.ts'
import { faultsOf, unneeded } from './check.ts'
import { type Definition, Definition as Schema, type Step } from './declared/definition.ts'
import { expressionsIn, filled, piecesOf } from './expressions.ts'
import { recipes } from './recipes.ts'

const definition = (steps: Step[], trigger: Definition['trigger'] = { type: 'manual' }): Definition => ({
  trigger,
  steps,
})
const pointers = (given: Definition, declared: string[] = ['platform:write']) =>
  faultsOf(given, declared).map(({ pointer }) => pointer)
const open = (marked: string) => `$\{{ ${marked} }}`

describe('a definition', () => {
  test('of every recipe is accepted, and declares nothing that it does not need', () => {
    for (const { definition: ready, declared_permissions: declared, key } of recipes) {
      expect([key, fits(Schema, ready)]).toEqual([key, true])
      expect([key, faultsOf(ready, declared)]).toEqual([key, []])
    }
    const [first] = recipes
    if (first === undefined) throw new Error('there is no recipe')
    expect(unneeded(first.definition, ['iam:admin'])).toEqual(['iam:admin'])
  })

  test('is refused with the place of what is wrong', () => {
    expect(pointers(definition([{ id: 'a', type: 'delay', with: {} }]))).toEqual(['/definition/steps/0/with/seconds'])
    expect(pointers(definition([{ id: 'a', type: 'delay', with: { seconds: 1, more: 1 } }]))).toEqual([
      '/definition/steps/0/with/more',
    ])
    expect(pointers(definition([{ id: 'a', type: 'recalculate_trust', depends_on: ['b'] }]), ['trust:write'])).toEqual([
      '/definition/steps/0/depends_on/0',
    ])
    expect(pointers(definition([{ id: 'a', type: 'set', with: { values: { x: open('1 +') } } }]))).toEqual([
      '/definition/steps/0/with/values/x',
    ])
    expect(pointers(definition([{ id: 'a', type: 'recalculate_trust' }]))).toEqual(['/declared_permissions'])
    expect(pointers(definition([{ id: 'a', type: 'recalculate_trust' }], { type: 'event' }), ['trust:write'])).toEqual([
      '/definition/trigger/channels',
    ])
    const filter = definition([{ id: 'a', type: 'set', with: { values: {} } }], {
      ...{ type: 'event', channels: ['*'], filter: 'event.data.x ==' },
    })
    expect(pointers(filter)).toEqual(['/definition/trigger/filter'])
  })

  test('whose steps wait for each other in a circle is refused', () => {
    const wait = (id: string, on: string): Step => ({ id, type: 'set', depends_on: [on], with: { values: {} } })
    expect(pointers(definition([wait('a', 'b'), wait('b', 'c'), wait('c', 'a')]))).toEqual([
      '/definition/steps/0/depends_on',
    ])
    expect(pointers(definition([wait('a', 'a')]))).toEqual(['/definition/steps/0/depends_on'])
  })
})

describe('a text', () => {
  const scope = { event: { data: { n: 2, name: 'x' } }, input: {}, steps: { a: { output: [1] } }, run: { id: 'r' } }

  test('that is one expression gives its value, any other text the values in it', () => {
    expect(filled(open('event.data.n + 1'), scope)).toBe(3)
    expect(filled(`n ${open('event.data.n')}, ${open('steps.a.output')}.`, scope)).toBe('n 2, [1].')
    expect(filled({ a: [open('run.id')], b: 1, c: 'plain' }, scope)).toEqual({ a: ['r'], b: 1, c: 'plain' })
  })

  test('names every expression with its pointer', () => {
    expect(expressionsIn({ a: { b: open('x') }, c: `${open('y')}${open('z')}` }, '')).toEqual([
      { source: 'x', pointer: '/a/b' },
      { source: 'y', pointer: '/c' },
      { source: 'z', pointer: '/c' },
    ])
    expect(piecesOf('a ${{ b')).toEqual([{ text: 'a ${{ b', isExpression: false }])
  })

  test.each([
    ['event.missing', 'absent'],
    ['[1, 2, 3].map(a, [1, 2, 3].map(b, [1, 2, 3].map(c, a)))', 'nested'],
  ])('whose expression cannot be decided is a fault: %s', (source) => {
    const started = performance.now()
    expect(() => filled(open(source), scope)).toThrow()
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
