import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('texts are quoted, quotes doubled, numbers and nothing left as they are', () => {
  expect(csvLine(['a', 'b "c", d', 3, true, null])).toBe('"a","b ""c"", d",3,true,\r\n')
})

test.each(['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '\r=1', '＝1'])('C33 %j is no formula any more', (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`)
})
