import { describe, expect, test } from 'vitest'
import { createContext } from './lexicon/context.ts'
import { createWordTree } from './lexicon/word-tree.ts'

const words = createWordTree([
  ['tax', ['tax id', 'Steuer-ID', 'codice fiscale']],
  ['phone', ['telefon*', '电话*']],
  ['ssn', ['ssn']],
])

const topicsBefore = (text: string): string[] =>
  [...createContext(text, words).before(text.length)].map(([topic]) => topic)

describe('words around a value', () => {
  test.each([
    ['Tax-ID: ', 'tax'],
    ['taxId=', 'tax'],
    ['"tax_id": "', 'tax'],
    ['STEUER ID ', 'tax'],
    ['Códice   Fiscale ', 'tax'],
    ['Telefonnummer ', 'phone'],
    ['我的电话是', 'phone'],
    ['customerSsn ', 'ssn'],
    ['SSN#', 'ssn'],
  ])('%j names %s', (text, topic) => {
    expect(topicsBefore(text)).toEqual([topic])
  })

  test.each(['syntax id', 'taxi d', 'ssnx ', 'assn ', 'mytelefon '])('%j names nothing', (text) => {
    expect(topicsBefore(text)).toEqual([])
  })

  test('a word in the sentence before is farther away', () => {
    const near = createContext('your ssn is 1', words).before(12).get('ssn') ?? 0
    const far = createContext('your ssn? or 1', words).before(13).get('ssn') ?? 0
    expect(far).toBeGreaterThan(near + 20)
  })

  test('a word after a value counts unless it labels the next one', () => {
    const after = (text: string): string[] => [...createContext(text, words).after(1)].map(([topic]) => topic)
    expect(after('1 is my ssn')).toEqual(['ssn'])
    expect(after('1", "ssn": "')).toEqual([])
    expect(after('1, ssn 2')).toEqual([])
  })

  test('what is near a position does not change with the text far from it', () => {
    const core = 'Steuer-ID 1'
    const filler = 'lorem ipsum dolor '.repeat(40)
    const alone = createContext(`${filler.slice(-128)}${core}`, words).before(128 + 10)
    const inside = createContext(`${filler}${core}${filler}`, words).before(filler.length + 10)
    expect([...inside]).toEqual([...alone])
  })
})
