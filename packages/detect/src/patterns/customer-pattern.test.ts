import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CustomerPattern, compilePattern, type PatternOptions } from './customer-pattern.ts'

function compiled(source: string, options?: PatternOptions): CustomerPattern {
  const result = compilePattern(source, options)
  if (!result.ok) throw new Error(result.reason)
  return result.pattern
}

const refusal = (source: string, options?: PatternOptions): string => {
  const result = compilePattern(source, options)
  return result.ok ? 'accepted' : result.reason
}

const matched = (pattern: CustomerPattern, text: string): string[] =>
  pattern.findAll(text).matches.map(({ start, end }) => text.slice(start, end))

describe('refusals', () => {
  test.each([
    ['(a)\\1', /back-reference/],
    ['(?P<x>a)\\k<x>', /back-reference/],
    ['(?=a)b', /looks ahead/],
    ['(?!a)b', /looks ahead/],
    ['(?<=a)b', /looks behind/],
    ['(?<!a)b', /looks behind/],
    ['(?>a)', /atomic/],
    ['a++', /repeats a repeat/],
    ['a**', /repeats a repeat/],
    ['(a{1000}){1000}', /over 1,000/],
    ['a{1001}', /over 1,000/],
    ['a{2,1}', /backwards/],
    ['(((x{0,9}){0,9}){0,9})', /grows to \d+ steps/],
    ['\\p{L}{700}', /grows to \d+ steps/],
    ['*a', /nothing to repeat/],
    ['[a', /\[ is never closed/],
    ['(a', /\( is never closed/],
    ['a)', /no \( before/],
    ['a\\', /lone backslash/],
    ['[z-a]', /runs backwards/],
    ['\\p{Klingon}', /not known/],
    ['\\u0041', /escape sequence/],
    ['(?<n>a)(?<n>b)', /same name/],
    ['(?x)a', /not known/],
    ['', /empty/],
    ['a'.repeat(513), /513 characters; 512/],
  ])('%s', (source, reason) => {
    expect(refusal(source)).toMatch(reason)
  })

  test('flags are i, m and s, each once', () => {
    for (const flags of ['g', 'u', 'ii', 'I', ' ']) expect(refusal('a', { flags })).toMatch(/flags/)
    expect(refusal('a', { flags: 'ims' })).toBe('accepted')
  })

  test('a longer source is allowed where the caller says so', () => {
    expect(refusal('a'.repeat(513), { maxLength: 520 })).toBe('accepted')
    expect(refusal('abc', { maxLength: 2 })).toMatch(/3 characters; 2/)
  })

  test('no source makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab()[]{}*+?|\\^$.,0129-:<>=!Pp\ud800') }), (source) => {
        const result = compilePattern(source)
        if (result.ok) result.pattern.findAll('ab 01 \ud800')
        else expect(result.reason).toMatch(/\.$/)
      }),
    )
    expect(refusal('('.repeat(512))).toMatch(/\.$/)
    expect(refusal(`${'('.repeat(250)}a${')'.repeat(250)}`)).toMatch(/accepted|\.$/)
  })
})

describe('matches', () => {
  test('come in text order with UTF-16 offsets', () => {
    const pattern = compiled('\\bPRJ-\\d{4}\\b')
    expect(pattern.findAll('😀 PRJ-1234, XPRJ-1234, PRJ-00001, PRJ-9999')).toEqual({
      matches: [
        { start: 3, end: 11 },
        { start: 35, end: 43 },
      ],
      complete: true,
    })
    expect([pattern.test('PRJ-1234'), pattern.test('PRJ-123')]).toEqual([true, false])
  })

  test('flags mean what they mean in JavaScript', () => {
    expect(matched(compiled('^acme.$', { flags: 'im' }), 'ACME1\nacme2\nxacme3')).toEqual(['ACME1', 'acme2'])
    expect(matched(compiled('a.b'), 'a\nb')).toEqual([])
    expect(matched(compiled('a.b', { flags: 's' }), 'a\nb')).toEqual(['a\nb'])
  })

  test("are those of the language's own engine where both can run the pattern", () => {
    const pieces = fc.constantFrom('a', 'b', '(?:a|ab)', '[ab]', 'a*', 'b+', 'a?', 'b{1,2}', '.', '\\b', '^', '$')
    const source = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(source, fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 12 }), (pattern, text) => {
        // Where an empty match touches the one before it, the engines count differently.
        const own = [...text.matchAll(new RegExp(pattern, 'g'))].map(([match]) => match)
        expect(matched(compiled(pattern), text).filter(Boolean)).toEqual(own.filter(Boolean))
      }),
    )
  })

  test('of nothing go on to the end', () => {
    const pattern = compiled('x*')
    expect(pattern.matchesEmptyText).toBe(true)
    expect(pattern.findAll('axxb')).toEqual({
      matches: [
        { start: 0, end: 0 },
        { start: 1, end: 3 },
        { start: 3, end: 3 },
        { start: 4, end: 4 },
      ],
      complete: true,
    })
    expect(compiled('x').matchesEmptyText).toBe(false)
  })

  test('stop at the limit and say that there may be more', () => {
    const pattern = compiled('a')
    expect(pattern.findAll('aaaa', 2)).toMatchObject({ matches: [{ start: 0 }, { start: 1 }], complete: false })
    expect(pattern.findAll('a'.repeat(5_000), 1e9).matches).toHaveLength(1_000)
    for (const limit of [0, -1, Number.NaN])
      expect(pattern.findAll('a', limit)).toEqual({ matches: [], complete: false })
  })

  test('do not depend on the search before', () => {
    const pattern = compiled('ab')
    expect(pattern.findAll('xxab')).toEqual(pattern.findAll('xxab'))
  })

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('.', '\\W+', '[^a]', '\\pL', '(?i)k'),
        (text, source) => {
          const { matches } = compiled(source).findAll(`\ud800${text}\0`)
          for (const { start, end } of matches) expect(start).toBeLessThanOrEqual(end)
        },
      ),
    )
  })
})

describe('work', () => {
  test('C24 patterns that blow up elsewhere find their answer', () => {
    const text = `${'a'.repeat(20_000)}!`
    expect(compiled('^(a+)+$').findAll(text).matches).toEqual([])
    expect(compiled('(a|aa)+b').findAll(text).matches).toEqual([])
    expect(compiled('(.*a){20}').findAll(text).matches).toEqual([{ start: 0, end: 20_000 }])
    expect(compiled('^(a?){50}a{50}').test(text)).toBe(true)
  })

  test('a pattern that reads to the end for every match is stopped', () => {
    // Each search reads what is left of 100,000 characters: after some 80 of them the allowed work is used up.
    const { matches, complete } = compiled('a.*b|a').findAll('a'.repeat(100_000), 1_000)
    expect(complete).toBe(false)
    expect(matches.length).toBeGreaterThan(20)
    expect(matches.length).toBeLessThan(100)
  })

  test('a pattern of bounded length finds all of many matches in a long text', () => {
    const { matches, complete } = compiled('[A-Z]{2}\\d{6}').findAll('AB123456 '.repeat(900), 1_000)
    expect(matches).toHaveLength(900)
    expect(complete).toBe(true)
  })
})
