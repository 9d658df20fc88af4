import { expect, test } from 'vitest'
import { acceptedForm } from './accept.ts'

const forms = ['application/json', 'application/x-ndjson', 'text/csv'] as const

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV; charset=utf-8', 'text/csv'],
  ['application/x-ndjson, */*;q=0.1', 'application/x-ndjson'],
  ['text/csv;q=0.5, application/x-ndjson;q=0.8', 'application/x-ndjson'],
  ['text/*', 'text/csv'],
  ['text/csv;q=0, */*;q=0.2', 'application/json'],
  ['image/png', 'application/json'],
  ['nonsense,,;q', 'application/json'],
])('%s gets %s', (header, form) => {
  expect(acceptedForm(header, forms)).toBe(form)
})
