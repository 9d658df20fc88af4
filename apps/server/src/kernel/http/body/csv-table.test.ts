import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine } from './csv.ts'
import { readTable, TableFault, type TableForm } from './csv-table.ts'

const form: TableForm = { columns: ['a', 'b'], required: ['a'], maxRows: 100, maxCell: 1000 }
const read = (text: string) =>
  readTable(text, form).map(({ line, cells, faults }) => [line, Object.fromEntries(cells), faults])

describe('a table', () => {
  test('gives back what was written to it, whatever stood in its cells', () => {
    // An apostrophe that was there before a formula cannot be told from the one the writer puts there.
    const cell = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.startsWith("'"))
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), (rows) => {
        const text = [['a', 'b'], ...rows].map((cells) => csvLine(cells)).join('')
        const back = readTable(text, form)
        expect(back.map(({ cells }) => [cells.get('a') ?? '', cells.get('b') ?? ''])).toEqual(rows)
        expect(back.flatMap(({ faults }) => faults)).toEqual([])
      }),
    )
  })

  test('counts the lines that cells break over, and leaves out empty ones', () => {
    expect(read('a,b\r\n"one\ntwo",2\n\n3,4')).toEqual([
      [2, { a: 'one\ntwo', b: '2' }, []],
      [5, { a: '3', b: '4' }, []],
    ])
  })

  test('begins with a byte order mark or without', () => {
    expect(read('\uFEFFa\n1')).toEqual([[2, { a: '1' }, []]])
  })

  test('C25 C33 refuses a cell that is a formula to a spreadsheet, by its line, and takes it behind an apostrophe', () => {
    expect(read(`a,b\n1,=1+1\n2,'=1+1\n3,＝1\n4,"\tx"`)).toEqual([
      [2, { a: '1' }, ['b begins as a formula does; put an apostrophe before it.']],
      [3, { a: '2', b: '=1+1' }, []],
      [4, { a: '3' }, ['b begins as a formula does; put an apostrophe before it.']],
      [5, { a: '4' }, ['b begins as a formula does; put an apostrophe before it.']],
    ])
  })

  test('C25 refuses a row of another length and a cell that is too long, by its line', () => {
    expect(read(`a,b\n1\n1,2,3\n${'x'.repeat(1001)},2`)).toEqual([
      [2, {}, ['The row has 1 cells and the header 2.']],
      [3, {}, ['The row has 3 cells and the header 2.']],
      [4, { b: '2' }, ['a is longer than 1000 characters.']],
    ])
  })

  test.each([
    ['', 'The table is empty'],
    ['a;b\n1;2', 'There is no column "a;b"'],
    ['a,c\n1,2', 'There is no column "c"; there are a, b'],
    ['a,a\n1,2', 'The column a is there twice'],
    ['b\n1', 'The column a is missing'],
    ['a,b\n1,"2', 'Line 2: a quotation mark is never closed'],
    ['a,b\n1,2"', 'Line 2: a quotation mark stands inside'],
    ['a,b\n"1"x,2', 'Line 2: something stands between'],
    ['a,b\r1,2', 'Line 1: a carriage return stands alone'],
    [`a\n${'1\n'.repeat(101)}`, 'more than 100 rows'],
  ])('C25 refuses %j', (text, words) => {
    expect(() => readTable(text, form)).toThrow(TableFault)
    expect(() => readTable(text, form)).toThrow(words)
  })
})
