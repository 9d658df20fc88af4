import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryOf, vectorOf } from './words.ts'

describe('a vector', () => {
  test('holds each word once with its places, in lower case and in one form', () => {
    expect(vectorOf(['The cat, the CAT'])).toBe("'the':1,3 'cat':2,4")
    expect(vectorOf(['ÄRGER ﬁle'])).toBe("'ärger':1 'file':2")
    expect(vectorOf(['⟦EMAIL_1⟧ a-b'])).toBe("'email_1':1 'a':2 'b':3")
  })

  test('leaves a gap between texts', () => {
    expect(vectorOf(['one', 'two'])).toBe("'one':1 'two':10")
  })

  test('is plain text whatever it is made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (texts) => {
        const vector = vectorOf(texts)
        expect(vector.isWellFormed()).toBe(true)
        for (const lexeme of vector.split(' ').filter((part) => part !== ''))
          expect(lexeme).toMatch(/^'[^'\\\s]+':\d+(?:,\d+)*$/)
      }),
    )
  })
})

describe('a query', () => {
  test.each([
    ['cat dog', "(('cat') & ('dog'))"],
    ['"black cat" -dog', "(('black' <-> 'cat') & !('dog'))"],
    ['-"black cat"', "(!('black' <-> 'cat'))"],
    ['cat or dog', "(('cat')) | (('dog'))"],
    ['or cat OR', "(('cat'))"],
    ['e-mail', "(('e' <-> 'mail'))"],
    ["it's", "(('it' <-> 's'))"],
    ['" " & | ! ( ) <-> :*', ''],
  ])('%s', (q, query) => {
    expect(queryOf(q)).toBe(query)
  })
})
