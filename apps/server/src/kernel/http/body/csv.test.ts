import { describe, expect, test } from 'vitest'
import { sources } from '../../../../test/borders/sources.ts'
import { csvLine } from './csv.ts'

describe('C33 a line of cells', () => {
  test('has each of them in quotes, with their own quotes doubled', () => {
    expect(csvLine(['a', 'b "c", d', 3, -1, true, null])).toBe('"a","b ""c"", d","3","-1","true",""\r\n')
  })

  test.each(['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a'])(
    'makes %j no formula',
    (text) => {
      expect(csvLine([text])).toBe(`"'${text}"\r\n`)
    },
  )

  test('is written here and nowhere else', () => {
    const writers = sources('apps/server/src').filter(({ text }) =>
      /join\(\s*['"`]\s*[,;]\s*['"`]\s*\)[^\n]*\\r\\n/.test(text),
    )
    expect(writers.map(({ path }) => path)).toEqual(['apps/server/src/kernel/http/body/csv.ts'])
    const files = sources('apps/server/src').filter(({ text }) => /'text\/csv': \{|mediaType: 'text\/csv'/.test(text))
    expect(files.map(({ path }) => path).sort()).toEqual([
      'apps/server/src/modules/admin/audit-log/export.ts',
      'apps/server/src/modules/gateway/exports/formats/format.ts',
    ])
  })
})
