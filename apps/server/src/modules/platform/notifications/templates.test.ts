import { expect, test } from 'vitest'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { renderTexts } from './templates.ts'

const code = (rest: Partial<Parameters<typeof renderTexts>[0]>): unknown => {
  try {
    return renderTexts({ title: 'T', body: 'B', template: undefined, data: undefined, ...rest })
  } catch (error) {
    if (error instanceof ProblemError) return [error.code, error.parts[0]?.pointer]
    throw error
  }
}

test('texts are taken as they are without data, and rendered with it', () => {
  expect(code({ title: '{{ x }}' })).toEqual({ title: '{{ x }}', body: 'B' })
  expect(code({ title: 'On {{ host }}', body: '{{ host | upcase }}', data: { host: 'a{{ b }}' } })).toEqual({
    ...{ title: 'On a{{ b }}', body: 'A{{ B }}' },
  })
})

test('a title is one line, whatever its values are', () => {
  expect(code({ title: 'a{{ x }}', data: { x: '\r\nBcc: eve@evil.example' } })).toMatchObject({
    title: 'a Bcc: eve@evil.example',
  })
})

test('a built-in template frames the texts of the sender', () => {
  const data = { impact: 'none', next_update: 'noon' }
  expect(code({ template: 'incident', data })).toEqual({
    ...{ title: 'Incident: T', body: 'B\n\nImpact: none\nNext update: noon' },
  })
  expect(code({ template: 'incident' })).toEqual(['PLAT-003', '/data'])
  expect(code({ template: 'other' })).toEqual(['PLAT-002', '/template'])
})

test.each([
  ['{% for i in (1..100000000) %}x{% endfor %}', 'a loop of 10^8 turns'],
  ['{% for i in (1..9000) %}{% for j in (1..9000) %}{{ i }}{% endfor %}{% endfor %}', 'loops in each other'],
  ['{{ missing }}', 'an absent value'],
  ['{% include "x" %}', 'a file'],
  ['{{ x', 'a broken tag'],
])('%s is refused at once: %s', (body) => {
  const started = performance.now()
  expect(code({ body, data: { x: '1' } })).toEqual(['PLAT-003', '/body'])
  expect(performance.now() - started).toBeLessThan(2_000)
})
