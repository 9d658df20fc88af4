import { expect, test } from 'vitest'
import { renderTemplate, TemplateFault } from './render.ts'

const variables = [
  { name: 'team', type: 'string' as const, required: true },
  { name: 'limit', type: 'number' as const, required: false },
]

test('a template is rendered with its declared variables', () => {
  expect(renderTemplate('For {{ team }}{% if limit %}, {{ limit }}{% endif %}.', variables, { team: 'a < b' })).toBe(
    'For a < b.',
  )
})

test.each([
  ['{{ team', { team: 'x' }],
  ['{{ other }}', { team: 'x' }],
  ['{{ team }}', {}],
  ['{{ team }}', { team: 1 }],
  ['{{ team }}', { team: 'x', more: 'y' }],
  ["{% include 'file' %}", { team: 'x' }],
  ['{% for i in (1..100000000) %}{{ team }}{% endfor %}', { team: 'x' }],
])('%s with %j is refused', (template, values) => {
  expect(() => renderTemplate(template, variables, values as never)).toThrow(TemplateFault)
})
