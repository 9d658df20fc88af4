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

test('who writes a policy finds what its lists hold and what its conditions may name', () => {
  const text = referencePages().get('policy-document.md') ?? ''
  for (const name of ['rules[].when', 'limits[].window_seconds', 'call.token_estimate', 'principal.agent_id'])
    expect(text).toContain(`| \`${name}\` |`)
})
