import { FlagdCore } from '@openfeature/flagd-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFlags } from '../engine/evaluate.ts'
import { readFlagd } from './flagd.ts'

const document = {
  $evaluators: { staff: { ends_with: [{ var: 'email' }, '@example.com'] } },
  flags: {
    split: {
      state: 'ENABLED',
      variants: { red: 'r', green: 'g', blue: 'b', grey: 'x' },
      defaultVariant: 'grey',
      targeting: {
        fractional: [
          ['red', 10],
          ['green', 20],
          ['blue', 70],
        ],
      },
    },
    'by-email': {
      state: 'ENABLED',
      variants: { a: 1, b: 2 },
      defaultVariant: 'a',
      targeting: {
        fractional: [{ cat: [{ var: '$flagd.flagKey' }, { var: 'email' }] }, ['a'], ['b']],
      },
    },
    chain: {
      state: 'ENABLED',
      variants: { on: true, off: false },
      defaultVariant: 'off',
      targeting: {
        if: [
          { $ref: 'staff' },
          'on',
          { and: [{ '==': [{ var: 'plan' }, 'pro'] }, { '>=': [{ var: 'age' }, 18] }] },
          'on',
          { or: [{ in: [{ var: 'country' }, ['de', 'fr']] }, { sem_ver: [{ var: 'version' }, '>=', '2.1.0'] }] },
          {
            fractional: [
              ['on', 30],
              ['off', 70],
            ],
          },
        ],
      },
    },
  },
}

const flagd = new FlagdCore()
flagd.setConfigurations(JSON.stringify(document))
const read = readFlagd(document)
const ours = compileFlags(
  read.flags.map(({ flag }) => flag),
  {},
)

test('the document is read in full', () => {
  expect(read.refused).toEqual([])
  expect(read.flags.map(({ flag }) => flag.key)).toEqual(['split', 'by-email', 'chain'])
})

const logger = { error() {}, warn() {}, info() {}, debug() {} }

test('everybody gets the variant that flagd gives', () => {
  const context = fc.record(
    {
      targetingKey: fc.string({ unit: 'grapheme-ascii', minLength: 1 }),
      email: fc.oneof(fc.constant('me@example.com'), fc.constant('you@example.org')),
      plan: fc.constantFrom('pro', 'free'),
      age: fc.integer({ min: 10, max: 30 }),
      country: fc.constantFrom('de', 'us'),
      version: fc.constantFrom('2.0.9', '2.1.0', '3.0.0-alpha.1'),
    },
    { requiredKeys: ['targetingKey', 'email'] },
  )
  fc.assert(
    fc.property(context, (given) => {
      const theirs = {
        split: flagd.resolveStringEvaluation('split', '', given, logger).variant,
        'by-email': flagd.resolveNumberEvaluation('by-email', 0, given, logger).variant,
        chain: flagd.resolveBooleanEvaluation('chain', false, given, logger).variant,
      }
      for (const [key, variant] of Object.entries(theirs))
        expect([key, given, ours.evaluate(key, given, 0).variant]).toEqual([key, given, variant])
    }),
    { numRuns: 3000 },
  )
})

test('an attribute that is not there and a version written short are read as flagd reads them', () => {
  const flag = (condition: object) => ({
    state: 'ENABLED',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    targeting: { if: [condition, 'on', 'off'] },
  })
  const conditions: Record<string, object> = {
    less: { '<': [{ var: 'age' }, 18] },
    'at-most': { '<=': [{ var: 'age' }, 0] },
    more: { '>': [{ var: 'age' }, -1] },
    'at-least': { '>=': [{ var: 'age' }, 18] },
    version: { sem_ver: [{ var: 'version' }, '>=', '1.2.0'] },
    strict: { '===': [{ var: 'plan' }, 'pro'] },
  }
  const flags = Object.fromEntries(Object.entries(conditions).map(([name, condition]) => [name, flag(condition)]))
  const core = new FlagdCore()
  core.setConfigurations(JSON.stringify({ flags }))
  const taken = readFlagd({ flags })
  expect(taken.refused).toEqual([])
  const here = compileFlags(
    taken.flags.map((one) => one.flag),
    {},
  )
  const contexts = [
    {},
    ...[-2, 0, 1, 17, 18, '17', 'old'].map((age) => ({ age })),
    ...['1.2.0', 'v1.3.0', '1.3', '1', '1.1.9', 'latest'].map((version) => ({ version })),
    ...['pro', 'free'].map((plan) => ({ plan })),
  ]
  for (const context of contexts)
    for (const name of Object.keys(flags)) {
      const given = { targetingKey: 'u1', ...context }
      const { variant = 'off' } = core.resolveBooleanEvaluation(name, false, given, logger)
      expect([name, given, here.evaluate(name, given, 0).variant]).toEqual([name, given, variant])
    }
})

test.each([
  ['a default value', { '>=': [{ var: ['age', 21] }, 18] }],
  ['the time', { '>=': [{ var: '$flagd.timestamp' }, 0] }],
  ['the name of the flag', { '==': [{ var: '$flagd.flagKey' }, 'odd'] }],
  ['an attribute in another', { '==': [{ var: 'user.plan' }, 'pro'] }],
  ['the type of a number', { '===': [{ var: 'age' }, 18] }],
  ['the type of a text', { '===': [{ var: 'age' }, '18'] }],
])('targeting that asks for %s is refused in words', (_what, condition) => {
  const odd = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' }
  const { flags, refused } = readFlagd({ flags: { odd: { ...odd, targeting: { if: [condition, 'on', 'off'] } } } })
  expect([flags.length, refused.map(({ name }) => name)]).toEqual([0, ['odd']])
  expect(refused[0]?.why).toMatch(/counterpart/)
})

test('targeting that no list of rules can say is refused in words', () => {
  const { flags, refused } = readFlagd({
    flags: {
      odd: { state: 'ENABLED', variants: { a: 1 }, defaultVariant: 'a', targeting: { '%': [{ var: 'x' }, 2] } },
      mixed: { state: 'ENABLED', variants: { a: 1, b: 'x' }, defaultVariant: 'a' },
      even: { state: 'DISABLED', variants: { a: 1 }, defaultVariant: 'a', targeting: {} },
    },
  })
  expect(flags.map(({ flag }) => [flag.key, flag.status])).toEqual([['even', 'disabled']])
  expect(refused.map(({ name }) => name)).toEqual(['odd', 'mixed'])
})
