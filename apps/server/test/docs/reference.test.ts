import { expect, test } from 'vitest'
import { referencePages, stalePages } from '../../../../scripts/reference.ts'
import { declaredRoutes } from '../generated/manifest.ts'

test('the reference says what the declarations say; `node --import tsx scripts/reference.ts --write` makes it anew', () => {
  expect(stalePages()).toEqual([])
})

test('every route has its section', () => {
  const text = [...referencePages().values()].join('\n')
  expect(declaredRoutes.filter(({ name }) => !text.includes(`\n## ${name}\n`)).map(({ name }) => name)).toEqual([])
})
