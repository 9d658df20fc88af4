import { describe, expect, test } from 'vitest'
import type { RuleRecord } from '../base/record.ts'
import { RuleRefusal } from '../base/refusal.ts'
import { compileDetection } from './detection.ts'

const record = (data: Record<string, unknown>, channel = 'gateway.request.blocked'): RuleRecord => ({
  ...{ id: 'e', channel, subject: 's', time: '2026-05-01T00:00:00.000Z', at: 0 },
  data,
})

const holds = (selection: unknown, data: Record<string, unknown>): boolean =>
  compileDetection({ selection, condition: 'selection' }, '/detection').holds(record(data))

describe('a selection', () => {
  test.each<[string, unknown, Record<string, unknown>, boolean]>([
    ['is equal without regard to case', { model: 'GPT-4' }, { model: 'gpt-4' }, true],
    ['is cased where it says so', { 'model|cased': 'GPT-4' }, { model: 'gpt-4' }, false],
    ['takes numbers as they are written', { n: 5 }, { n: '5' }, true],
    ['takes truth values', { monitor: true }, { monitor: true }, true],
    ['reads nested members', { 'a.b': 'x' }, { a: { b: 'x' } }, true],
    ['does not reach the prototype', { 'a.constructor': '*' }, { a: {} }, false],
    ['takes any of a list', { model: ['a', 'b'] }, { model: 'b' }, true],
    ['is met by any value of a list in the event', { tags: 'b' }, { tags: ['a', 'b'] }, true],
    ['needs all fields of a map', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
    ['takes any of a list of maps', [{ a: 1 }, { b: 2 }], { b: 2 }, true],
    ['matches any number of characters', { model: 'gpt-*-mini' }, { model: 'gpt-4o-mini' }, true],
    ['matches one character', { model: 'gpt-?' }, { model: 'gpt-45' }, false],
    ['takes an escaped star for a star', { model: 'a\\*b' }, { model: 'axb' }, false],
    ['takes an escaped star for a star, found', { model: 'a\\*b' }, { model: 'a*b' }, true],
    ['takes a lone backslash as it is', { path: 'C:\\Temp' }, { path: 'c:\\temp' }, true],
    ['contains', { 'text|contains': 'pass' }, { text: 'a password' }, true],
    ['contains all', { 'text|contains|all': ['pass', 'word'] }, { text: 'a password' }, true],
    ['does not contain all', { 'text|contains|all': ['pass', 'key'] }, { text: 'a password' }, false],
    ['begins', { 'text|startswith': 'a ' }, { text: 'a password' }, true],
    ['ends', { 'text|endswith': 'word' }, { text: 'a passwords' }, false],
    ['fits a pattern, by case', { 'text|re': '^[a-z]{3}\\d+$' }, { text: 'abc12' }, true],
    ['does not fit a pattern by another case', { 'text|re': '^[a-z]+$' }, { text: 'ABC' }, false],
    ['is in a network', { 'ip|cidr': '10.0.0.0/8' }, { ip: '10.2.3.4' }, true],
    ['is a network in a network', { 'ip|cidr': '10.0.0.0/8' }, { ip: '10.2.3.0/24' }, true],
    ['is in a network of IPv6', { 'ip|cidr': ['10.0.0.0/8', '2001:db8::/32'] }, { ip: '2001:db8::1' }, true],
    ['is no address', { 'ip|cidr': '10.0.0.0/8' }, { ip: 'ten' }, false],
    ['is less', { 'n|lt': 3 }, { n: 3 }, false],
    ['is not more', { 'n|lte': 3 }, { n: 3 }, true],
    ['is more, of a sum as text', { 'cost|gt': 1.5 }, { cost: '1.75' }, true],
    ['is no number', { 'n|gte': 1 }, { n: 'many' }, false],
    ['exists', { 'n|exists': true }, { n: null }, true],
    ['does not exist', { 'n|exists': false }, { n: 1 }, false],
    ['is null or missing', { n: null }, {}, true],
    ['is empty', { n: '' }, { n: '' }, true],
    ['is the value of another field', { 'a|fieldref': 'b' }, { a: 'X', b: 'x' }, true],
    ['begins with the value of another field', { 'a|startswith|fieldref': 'b' }, { a: 'xyz', b: 'xy' }, true],
    ['is encoded', { 'text|base64': 'secret' }, { text: 'c2VjcmV0' }, true],
    [
      'is encoded at the first offset',
      { 'text|base64offset|contains': 'secret!' },
      { text: b64('secret! more') },
      true,
    ],
    ['is encoded at the second', { 'text|base64offset|contains': 'secret!' }, { text: b64('xsecret! more') }, true],
    ['is encoded at the third', { 'text|base64offset|contains': 'secret!' }, { text: b64('xysecret! more') }, true],
    ['has an option with another dash', { 'text|contains|windash': ' -enc' }, { text: 'sh /enc abc' }, true],
    ['has a word anywhere', ['bedrock'], { a: { b: ['x', 'aws-Bedrock-1'] } }, true],
    ['has all words', { '|all': ['one', 'two'] }, { a: 'one', b: 'three' }, false],
  ])('%s', (_name, selection, data, expected) => {
    expect(holds(selection, data)).toBe(expected)
  })

  test('reads the channel of the event', () => {
    expect(holds({ channel: 'gateway.request.*' }, {})).toBe(true)
  })
})

const b64 = (text: string): string => Buffer.from(text).toString('base64')

describe('a condition', () => {
  const named = { one: { a: 1 }, two: { b: 1 }, three: { c: 1 }, _four: { d: 1 } }
  test.each<[string, Record<string, unknown>, boolean]>([
    ['one and two', { a: 1, b: 1 }, true],
    ['one and not two', { a: 1, b: 1 }, false],
    ['one or two and three', { a: 1 }, true],
    ['(one or two) and three', { a: 1 }, false],
    ['not (one or two)', {}, true],
    ['NOT one AND two', { b: 1 }, true],
    ['1 of t*', { c: 1 }, true],
    ['all of t*', { c: 1 }, false],
    ['1 of them', { d: 1 }, false],
    ['any of _*', { d: 1 }, true],
    ['all of them', { a: 1, b: 1, c: 1 }, true],
  ])('%s', (condition, data, expected) => {
    expect(compileDetection({ ...named, condition }, '').holds(record(data))).toBe(expected)
  })

  test('of several texts holds where one does', () => {
    expect(compileDetection({ ...named, condition: ['one', 'two'] }, '').holds(record({ b: 1 }))).toBe(true)
  })
})

describe('what is refused, with its construct and place', () => {
  test.each<[object, string, string]>([
    [{ s: { 'a|expand': 'x' }, condition: 's' }, 'modifier expand', '/d/s/a|expand'],
    [{ s: { 'a|re|i': 'x' }, condition: 's' }, 'modifier i', '/d/s/a|re|i'],
    [{ s: { 'a|lt|gt': 1 }, condition: 's' }, 'modifiers lt and gt', '/d/s/a|lt|gt'],
    [{ s: { 'a|re|base64': 'x' }, condition: 's' }, 'modifiers re and base64', '/d/s/a|re|base64'],
    [{ s: { 'a|cidr': 'x/8' }, condition: 's' }, 'cidr', '/d/s/a|cidr'],
    [{ s: { 'a|lt': 'many' }, condition: 's' }, 'lt', '/d/s/a|lt'],
    [{ s: { 'a|re': '(?=x)' }, condition: 's' }, 'pattern', '/d/s/a|re'],
    [{ s: { 'a|re': ['x', '(a'] }, condition: 's' }, 'pattern', '/d/s/a|re/1'],
    [{ s: { 'a|exists': 'yes' }, condition: 's' }, 'exists', '/d/s/a|exists'],
    [{ s: { a: { b: 1 } }, condition: 's' }, 'value', '/d/s/a'],
    [{ s: [], condition: 's' }, 'selection', '/d/s'],
    [{ s: { a: [] }, condition: 's' }, 'values', '/d/s/a'],
    [{ s: { a: 1 }, condition: 's | count() > 5' }, 'aggregation', '/d/condition'],
    [{ s: { a: 1 }, condition: '2 of s*' }, 'condition 2 of', '/d/condition'],
    [{ s: { a: 1 }, condition: 's and' }, 'condition', '/d/condition'],
    [{ s: { a: 1 }, condition: '(s' }, 'condition', '/d/condition'],
    [{ s: { a: 1 }, condition: 't' }, 'condition', '/d/condition'],
    [{ s: { a: 1 }, condition: '1 of x*' }, 'condition', '/d/condition'],
    [{ s: { a: 1 }, condition: `${'('.repeat(40)}s${')'.repeat(40)}` }, 'condition', '/d/condition'],
    [{ s: { a: 1 } }, 'condition', '/d/condition'],
    [{ s: { a: 1 }, condition: 's', timeframe: '5m' }, 'timeframe', '/d/timeframe'],
  ])('%j', (detection, construct, pointer) => {
    const compiling = () => compileDetection(detection as Record<string, unknown>, '/d')
    expect(compiling).toThrow(RuleRefusal)
    expect(compiling).toThrow(expect.objectContaining({ construct, pointer }))
  })
})

test('a rule is found by the fields that it compares with constants', () => {
  const anchorsOf = (detection: Record<string, unknown>) => compileDetection(detection, '').anchors
  const both = anchorsOf({ s: { channel: 'A.b', model: ['x', 'y'] }, f: { n: 1 }, condition: 's and not f' })
  expect([...both]).toEqual([
    ['channel', new Set(['a.b'])],
    ['model', new Set(['x', 'y'])],
  ])
  const either = anchorsOf({ s: { channel: 'a', n: 1 }, t: { channel: 'b' }, condition: '1 of them' })
  expect([...either]).toEqual([['channel', new Set(['a', 'b'])]])
  expect(anchorsOf({ s: { 'model|contains': 'x' }, condition: 's' }).size).toBe(0)
  expect(anchorsOf({ s: { a: 1 }, condition: 'not s' }).size).toBe(0)
})

test('patterns and stars take time in proportion to the text', () => {
  const text = 'a'.repeat(60_000)
  const catastrophic = compileDetection(
    { s: { 'text|re': '(a+)+$' }, t: { text: `*a*a*a*a*a*b` }, condition: 's and t' },
    '',
  )
  const from = performance.now()
  expect(catastrophic.holds(record({ text: `${text}!` }))).toBe(false)
  expect(performance.now() - from).toBeLessThan(5_000)
})
