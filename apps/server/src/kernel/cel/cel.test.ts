import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { celLimits } from './limits.ts'
import { type CelCondition, CelFault, compileCel } from './program.ts'
import type { CelFields } from './shape.ts'

const fields: CelFields = {
  who: {
    shape: {
      fields: {
        id: { shape: 'string' },
        agent: { shape: 'string', optional: true },
        roles: { shape: { list: 'string' } },
      },
    },
  },
  call: {
    shape: {
      fields: {
        tokens: { shape: 'int' },
        warmth: { shape: 'double', optional: true },
        tags: { shape: { map: 'string' } },
        groups: { shape: { list: { list: 'string' } } },
      },
    },
  },
  now: { shape: 'timestamp' },
}

const values = {
  who: { id: 'anna', agent: null, roles: ['engineer', 'auditor'] },
  call: { tokens: 60_000, tags: { team: 'red' }, groups: [['a', 'b'], ['c']], secret: 'not published' },
  now: '2026-03-01T23:30:00.000Z',
}

function compiled(source: string): CelCondition {
  const result = compileCel(source, fields)
  if (!result.ok) throw new Error(result.reason)
  return result.condition
}

function reasonOf(source: string): string {
  const result = compileCel(source, fields)
  return result.ok ? 'accepted' : result.reason
}

describe('a condition', () => {
  test.each([
    ['has(who.agent) && call.tokens > 50000', false],
    ['!has(who.agent) && call.tokens > 50000', true],
    ['call.tokens + 1 == 60001', true],
    ['has(call.warmth) && call.warmth > 1.5', false],
    ['who.roles.exists(r, r.startsWith("eng"))', true],
    ['who.roles.all(r, r in ["engineer", "auditor"])', true],
    ['"team" in call.tags && call.tags["team"] == "red"', true],
    ['has(call.tags.team) && call.tags.team.matches("^r.d$")', true],
    ['call.groups.exists(g, g.exists(x, x == "c"))', true],
    ['who.roles.filter(r, r != "auditor").size() == 1', true],
    ['now.getHours() >= 22 || now.getHours() < 6', true],
    ['now > timestamp("2026-01-01T00:00:00Z")', true],
  ])('%s is %s', (source, expected) => {
    expect(compiled(source).holds(values)).toBe(expected)
  })
})

describe('an expression that cannot be used is refused when it is saved', () => {
  test.each([
    ['call.tokens >', 'cannot be read'],
    ['nobody.id == "a"', 'no variable nobody'],
    ['call.secret == "x"', 'no field secret'],
    ['who.constructor == "x"', 'no field constructor'],
    ['constructor == "x"', 'no variable constructor'],
    ['__proto__ == "x"', 'no variable __proto__'],
    ['call.tokens', 'neither true nor false'],
    ['who.id > 5', 'cannot be decided'],
    ['who.agent == "x"', 'cannot be decided'],
    ['call.tags.team == "red"', 'cannot be decided'],
    ['who.id.frobnicate()', 'no function frobnicate'],
    ['who.id.matches("(")', 'pattern cannot be used'],
    ['who.id.matches(who.id)', 'written as a text'],
    ['who.id.matches("((a{1,100}){1,100}){1,100}")', 'pattern cannot be used'],
    ['(who.roles + who.roles).exists(r, r == "x")', 'A loop goes over a list'],
    ['Message{a: 1} == 1', 'cannot be made'],
    ['call.groups.exists(a, a.exists(b, who.roles.exists(c, c == b)))', 'loops are inside each other'],
    [`who.id in [${Array.from({ length: 210 }, () => '"a"').join()}]`, 'parts'],
    [`${'('.repeat(3000)}true${')'.repeat(3000)}`, 'characters'],
    [`${'['.repeat(60)}${']'.repeat(60)}.size() == 1`, 'nested deeper'],
    [`${'('.repeat(990)}true${')'.repeat(990)} && nobody`, ''],
  ])('%s', (source, reason) => {
    expect(reasonOf(source)).not.toBe('accepted')
    expect(reasonOf(source)).toContain(reason)
  })
})

describe('C27 the work of a condition is bounded before it begins', () => {
  const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `role ${index}`)

  test('by the real lengths of the lists its loops go over', () => {
    const condition = compiled('who.roles.all(a, who.roles.all(b, a != "x" || b != "x"))')
    const withRoles = (count: number) => ({ ...values, who: { ...values.who, roles: many(count) } })
    expect(condition.holds(withRoles(200))).toBe(true)
    expect(() => condition.holds(withRoles(300))).toThrow(CelFault)
  })

  test('also where the lists are inside each other', () => {
    const condition = compiled('call.groups.all(g, g.all(x, x != ""))')
    const groups = Array.from({ length: 600 }, () => Array.from({ length: 100 }, () => 'x'))
    expect(() => condition.holds({ ...values, call: { ...values.call, groups } })).toThrow(/turns/)
  })

  test('and by how much it is given', () => {
    const condition = compiled('who.id == ""')
    expect(() => condition.holds({ ...values, who: { ...values.who, id: 'x'.repeat(celLimits.input + 1) } })).toThrow(
      /more than it may look at/,
    )
  })

  test('C24 a pattern made for engines that go back is one pass', () => {
    const condition = compiled('who.id.matches("(a+)+$")')
    expect(condition.holds({ ...values, who: { ...values.who, id: `${'a'.repeat(100_000)}!` } })).toBe(false)
  })
})

test('no text makes the reader fail in any other way than a refusal', () => {
  const piece = fc.constantFrom(
    'call',
    '.',
    'tokens',
    '(',
    ')',
    '[',
    ']',
    '&&',
    '>',
    '1',
    '"a"',
    'has',
    'exists',
    ',',
    ' ',
    '!',
    '?',
    ':',
    '{',
    '}',
    '\\',
    "'",
    'in',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 200, unit: 'binary' }),
        fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
      ),
      (source) => {
        const result = compileCel(source, fields)
        expect(typeof result.ok).toBe('boolean')
      },
    ),
  )
})
