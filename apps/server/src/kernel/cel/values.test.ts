import { describe, expect, test, vi } from 'vitest'
import { CelFault } from './faults.ts'
import type { CelFunction } from './functions.ts'
import { celLimits } from './limits.ts'
import { type CelDeclaration, compileExpression, createCelReader } from './program.ts'
import type { CelShape } from './shape.ts'

const event: CelDeclaration['variables'] = {
  event: { shape: { fields: { channel: { shape: 'string' }, data: { shape: 'dyn' } } } },
  names: { shape: { list: 'string' } },
  count: { shape: 'int' },
  now: { shape: 'timestamp' },
}

const join: CelFunction = {
  name: 'join',
  parameters: [{ list: 'string' }, 'string'],
  result: 'string',
  cost: 10,
  call: (items, separator) => (items as readonly string[]).join(String(separator)),
}

const values = {
  event: {
    channel: 'aegis.alert.created',
    data: {
      score: 7,
      share: 0.5,
      tags: ['a', 'b'],
      who: { id: 'anna', manager: null },
      big: { n: [1, { x: 'deep' }] },
    },
  },
  names: ['anna', 'ben'],
  count: 3,
  now: '2026-03-01T23:30:00.000Z',
}

function compiled(source: string, result: CelShape, functions: readonly CelFunction[] = [join]) {
  const read = compileExpression(source, { variables: event, functions, result })
  if (!read.ok) throw new Error(read.reason)
  return read.expression
}
const answer = (source: string, result: CelShape, given: object = values): unknown =>
  compiled(source, result).evaluate({ ...given })

function refusal(source: string, result: CelShape, functions: readonly CelFunction[] = [join]) {
  const read = compileExpression(source, { variables: event, functions, result })
  return read.ok ? null : { reason: read.reason, position: read.position }
}

describe('an expression answers a value of its declared form', () => {
  test.each<[string, CelShape, unknown]>([
    ['"Alert on " + event.channel', 'string', 'Alert on aegis.alert.created'],
    ['count * 2 + 1', 'int', 7],
    ['double(count) / 2.0', 'double', 1.5],
    ['count', 'double', 3],
    ['count > 2', 'bool', true],
    ['now', 'timestamp', '2026-03-01T23:30:00.000Z'],
    ['now + duration("30m")', 'timestamp', '2026-03-02T00:00:00.000Z'],
    ['names.map(n, n + "@example.org")', { list: 'string' }, ['anna@example.org', 'ben@example.org']],
    ['names.filter(n, n != "ben") + ["carl"]', { list: 'string' }, ['anna', 'carl']],
    ['{"who": event.channel, "n": string(count)}', { map: 'string' }, { who: 'aegis.alert.created', n: '3' }],
    [
      '{"to": names, "urgent": count > 2}',
      {
        fields: {
          to: { shape: { list: 'string' } },
          urgent: { shape: 'bool' },
          cc: { shape: 'string', optional: true },
        },
      },
      { to: ['anna', 'ben'], urgent: true },
    ],
    ['count > 2 ? "many" : "few"', 'string', 'many'],
    ['[1, 2.5, "x", null, {"a": [true]}]', 'dyn', [1, 2.5, 'x', null, { a: [true] }]],
    ['now', 'dyn', '2026-03-01T23:30:00.000Z'],
  ])('%s', (source, result, expected) => {
    expect(answer(source, result)).toEqual(expected)
  })

  test.each<[string, CelShape, string]>([
    ['count', 'string', 'a string was expected'],
    ['"3"', 'int', 'a int was expected'],
    ['1.5', 'int', 'a int was expected'],
    ['names', 'string', 'a string was expected'],
    ['count', { list: 'int' }, 'a list was expected'],
    ['names', { map: 'string' }, 'a map was expected'],
    ['[1, "a"]', { list: 'int' }, 'a int was expected'],
    ['{"a": 1}', { fields: { b: { shape: 'int' } } }, 'no field a'],
    ['{}', { fields: { b: { shape: 'int' } } }, 'b is missing'],
    ['duration("3s")', 'dyn', 'no form in JSON'],
    ['b"abc"', 'dyn', 'no form in JSON'],
    ['9007199254740993', 'int', 'too large to be exact'],
    ['1.0 / 0.0', 'double', 'a double was expected'],
  ])('%s is none of %j, and that shows when it is saved', (source, result, reason) => {
    expect(refusal(source, result)?.reason).toContain(reason)
  })
})

describe('a variable of a dynamic shape', () => {
  test.each<[string, CelShape, unknown]>([
    ['event.data.score > 5', 'bool', true],
    ['event.data.score + 1', 'int', 8],
    ['event.data.share * 2.0', 'double', 1],
    ['event.data.who', 'dyn', { id: 'anna', manager: null }],
    ['has(event.data.who.id) && !has(event.data.other)', 'bool', true],
    ['event.data.who.manager == null', 'bool', true],
    ['event.data.tags.map(t, t + "!")', { list: 'string' }, ['a!', 'b!']],
    ['event.data.who.map(k, k)', { list: 'string' }, ['id', 'manager']],
    ['event.data.tags.exists(t, t in names)', 'bool', false],
    ['event.data["big"].n[1].x', 'string', 'deep'],
  ])('%s', (source, result, expected) => {
    expect(answer(source, result)).toEqual(expected)
  })

  test.each<[string, CelShape]>([
    ['event.data.other', 'dyn'],
    ['event.data.who + 1', 'int'],
    ['event.data.score', 'string'],
    ['event.data.who.constructor', 'dyn'],
  ])('%s is accepted, and cannot be decided for a value that lacks it', (source, result) => {
    expect(() => answer(source, result)).toThrow(CelFault)
  })

  test('counts for the bounds of loops, of input and of nesting', () => {
    const long = { ...values, event: { channel: '', data: Array.from({ length: 60_000 }, () => 1) } }
    expect(() => answer('event.data.all(x, x > 0)', 'bool', long)).toThrow(/turns/)
    const large = { ...values, event: { channel: '', data: { text: 'x'.repeat(celLimits.input) } } }
    expect(() => answer('has(event.data.text)', 'bool', large)).toThrow(/more than it may look at/)
    let deep: unknown = 1
    for (let level = 0; level < 100; level += 1) deep = [deep]
    expect(() => answer('event.data == 1', 'bool', { ...values, event: { channel: '', data: deep } })).toThrow(/nested/)
  })
})

describe('a declared function', () => {
  test('gets values as JSON has them and answers one', () => {
    expect(answer('join(names, ", ")', 'string')).toBe('anna, ben')
    expect(answer('join(event.data.tags, "-") + "!"', 'string')).toBe('a-b!')
    expect(answer('names.map(n, join([n, n], "+"))', { list: 'string' })).toEqual(['anna+anna', 'ben+ben'])
  })

  test('is not called while an expression is read, and is held to what it declares', () => {
    const call = vi.fn((_name: unknown): unknown => 5)
    const lookup: CelFunction = { name: 'lookup', parameters: ['string'], result: 'int', cost: 1, call }
    const expression = compiled('lookup(event.channel) + 1', 'int', [lookup])
    expect(call).not.toHaveBeenCalled()
    expect(expression.evaluate(values)).toBe(6)
    expect(call.mock.calls).toEqual([['aegis.alert.created']])
    call.mockReturnValue('five')
    expect(() => expression.evaluate(values)).toThrow(CelFault)
    call.mockImplementation(() => {
      throw new CelFault('There is nobody of that name.')
    })
    expect(() => expression.evaluate(values)).toThrow(/nobody of that name/)
  })

  test.each([
    ['joined(names, ",")', 'There is no function joined.'],
    // A list may be empty: an expression that does not check it fails here.
    ['names[0]', 'cannot be decided'],
    ['join(names)', 'takes 2 values'],
    ['names.join(",")', 'There is no function join.'],
    ['join(names, 5)', 'a string was expected'],
  ])('%s is refused', (source, reason) => {
    expect(refusal(source, 'string')?.reason).toContain(reason)
  })

  test('counts for the bound of loops by its cost', () => {
    const slow: CelFunction = { ...join, cost: 30_000 }
    expect(refusal('names.all(n, join(names, n) != "")', 'bool', [slow])).toBeNull()
    expect(() => compiled('names.all(n, join(names, n) != "")', 'bool', [slow]).evaluate(values)).toThrow(/turns/)
  })
})

describe('C27 the work of a value is bounded', () => {
  const names = (count: number) => ({ ...values, names: Array.from({ length: count }, (_, index) => `name ${index}`) })

  test('lists that are made can be read, at a length that the library’s own cannot', () => {
    expect(answer('names.map(n, n + "!")', { list: 'string' }, names(4_000))).toHaveLength(4_000)
    expect(answer('names.filter(n, n != "").exists(n, n == "none")', 'bool', names(4_000))).toBe(false)
  })

  test('by how much is put together', () => {
    expect(() => answer('names.map(n, n)', { list: 'string' }, names(20_000))).toThrow(/puts more together/)
    const text = { ...values, event: { channel: 'x'.repeat(200_000), data: null } }
    expect(() => answer('event.channel + event.channel', 'string', text)).toThrow(/text of more than/)
  })

  test('by loops after one another', () => {
    const chain = (loops: number) => `[names]${'.map(x, [x, x])'.repeat(loops)}.size()`
    expect(refusal(chain(3), 'int')).toBeNull()
    expect(refusal(chain(4), 'int')?.reason).toContain('follow each other')
  })

  test('by the size of the result', () => {
    expect(() => answer('[names].map(x, [x, x, x, x]).map(x, [x, x, x, x])', 'dyn', names(4_000))).toThrow(/larger/)
  })
})

describe('a refusal names its place', () => {
  test.each<[string, number | null]>([
    ['count + nobody', 9],
    ['event.kind == "x"', 6],
    ['count > 1 && names.frobnicate()', 19],
    ['"a" + event.channel + count', null],
  ])('%s', (source, position) => {
    const found = refusal(source, 'bool')
    expect(found).not.toBeNull()
    if (position !== null) expect(found?.position).toBe(position)
    else expect(found?.position).toBeGreaterThan(0)
  })

  test('and an expression that cannot be read says line and column', () => {
    expect(refusal('1 +* 2', 'int')?.reason).toContain('line 1:3')
  })
})

test('a reader keeps what it has read', () => {
  const compile = vi.fn((source: string) => compileExpression(source, { variables: event, result: 'int' }))
  const read = createCelReader(compile)
  expect(read('count + 1')).toBe(read('count + 1'))
  expect(compile).toHaveBeenCalledTimes(1)
})

test('expressions over the same values read and encode each variable once, and only those they name', () => {
  const declared = { variables: { a: { shape: 'dyn' }, b: { shape: 'int' } }, result: 'bool' } as const
  const compiled = ['a.n == 1', 'a.n + b == 3', 'b == 2'].map((source) => {
    const one = compileExpression(source, declared)
    if (!one.ok) throw new Error(one.reason)
    return one.expression
  })
  const asked: string[] = []
  const values = {
    read: (name: string) => {
      asked.push(name)
      return { a: { n: 1 }, b: 2 }[name]
    },
    encoded: new Map(),
  }
  expect(compiled.map((expression) => expression.evaluateShared(values))).toEqual([true, true, true])
  expect(asked).toEqual(['a', 'b'])
  expect(compiled[0]?.names).toEqual(new Set(['a']))
  expect(compiled[1]?.size).toEqual({ nodes: 6, depth: 4 })
})
