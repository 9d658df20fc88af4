import { expect, test } from 'vitest'
import { columnsOf, type Document, fieldsOf, formOf, resourcesOf } from './openapi.ts'

const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    created_at: { type: 'string', format: 'date-time' },
    note: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] },
    parts: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } } },
    name: { type: 'string', description: 'Its name' },
  },
} as const

const operation = (data: object) => ({
  operationId: 'x',
  tags: ['twins'],
  summary: 'List the assets',
  'x-permission': 'twins:read',
  parameters: [],
  responses: { '200': { description: '', content: { 'application/json': { schema: { properties: { data } } } } } },
})

const document: Document = {
  info: { version: '1' },
  paths: {
    '/api/v1/twins/assets': { get: operation({ type: 'array', items: item }), post: operation(item) },
    '/api/v1/twins/assets/{asset_id}': { get: operation(item) },
    '/api/v1/twins/assets/{asset_id}/edges': { get: operation({ type: 'array', items: item }) },
    '/api/v1/twins/summary': { get: operation(item) },
  },
}

test('a list is a resource, with the address of its items', () => {
  expect(resourcesOf(document).map(({ module, path, detail }) => [module, path, detail])).toEqual([
    ['twins', '/twins/assets', '/twins/assets/{asset_id}'],
  ])
})

test('columns are scalars, names first and moments last', () => {
  expect(columnsOf(item)).toEqual(['name', 'note', 'created_at'])
})

test('schemas are told in words and fields by their paths', () => {
  expect(formOf(item.properties.note)).toBe('string, at most 9 characters or null')
  expect(fieldsOf(item).map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['created_at', false],
    ['note', false],
    ['parts', false],
    ['parts[].n', false],
    ['name', true],
  ])
})
