import { describe, expect, test } from 'vitest'
import { patternFaults } from './linear-pattern.ts'

describe('a pattern is refused', () => {
  test.each([
    ['(a)\\1', 'back-reference'],
    ['(?<name>a)\\k<name>', 'back-reference'],
    ['(?<=a)b', 'look-behind'],
    ['(?<!a)b', 'look-behind'],
    ['\\w+@', 'unbounded'],
    ['a*', 'unbounded'],
    ['[a-z]{3,}', 'unbounded'],
    ['.*?x', 'unbounded'],
    ['[^"]+', 'unbounded'],
    ['[^"]+a', 'unbounded'],
    ['[^d]+\\d', 'unbounded'],
    ['a{0,65}', 'more than 64'],
    ['(?:[a-z]{1,20} ){0,8}', 'nested'],
    ['(?:(?:a|b){2,9}c){2,9}', 'nested'],
    ['(?:a+)?', 'unbounded'],
    ['(a', 'unclosed'],
    ['a)b', 'unmatched'],
  ])('%s', (source, fault) => {
    expect(patternFaults(source).join()).toContain(fault)
  })
})

describe('a pattern is accepted', () => {
  test.each([
    'plain words',
    '(?:a|b)?c{1,64}',
    '"[^"]*"',
    '\\[[^\\]]+\\]',
    '(?:[a-z]{1,14} ){0,4}x',
    '\\u{1f600}{2}',
    '[\\]*+]{2}',
    'a\\*b\\+',
    '(?=a)(?!b)(?<name>c)',
    '',
  ])('%s', (source) => {
    expect(patternFaults(source)).toEqual([])
  })
})
