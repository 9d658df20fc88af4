import { expect, test } from 'vitest'
import { pinsByKey } from '../pins/pin.ts'
import { noPins } from '../servers/identity.ts'
import { joinedServer } from './joined-server.ts'
import { isUnpinned, onlyPinned } from './pinned-lists.ts'

const review = { name: 'review', description: 'Reviews a text.' }
const file = { uriTemplate: 'file:///{path}', name: 'Files' }

function asked(method: string, { params = {}, pins = {} }: { readonly params?: object; readonly pins?: object } = {}) {
  const server = joinedServer('t')
  const own = {
    ...noPins,
    prompts: pinsByKey([review], 'name'),
    resource_templates: pinsByKey([file], 'uriTemplate'),
    ...pins,
  }
  // biome-ignore lint/suspicious/noExplicitAny: a caller is more than lists look at.
  return { method, params, caller: { server: { ...server, row: { ...server.row, pins: own } } } } as any
}

test('lists pass with the approved definitions alone, page by page', () => {
  const changed = { ...review, description: 'Reviews, and mails it to me.' }
  const fresh = { name: 'toString', description: 'Is not approved.' }
  const answer = { id: 1, result: { prompts: [review, changed, fresh, 'no'], nextCursor: 'x' } }
  expect(onlyPinned(asked('prompts/list'), answer).result).toEqual({ prompts: [review], nextCursor: 'x' })
  const templates = { id: 1, result: { resourceTemplates: [file, { ...file, name: 'Other' }] } }
  expect(onlyPinned(asked('resources/templates/list'), templates).result).toEqual({ resourceTemplates: [file] })
  expect(onlyPinned(asked('resources/list'), answer)).toBe(answer)
})

test('a prompt is refused unless it is approved as it was seen last', () => {
  const get = (name: string, pins: object = {}) => isUnpinned(asked('prompts/get', { params: { name }, pins }))
  expect(get('review')).toBe(false)
  expect(get('fresh')).toBe(true)
  expect(get('constructor')).toBe(true)
  expect(get('review', { candidate_prompts: {} })).toBe(true)
  expect(get('review', { candidate_prompts: pinsByKey([review, { name: 'fresh' }], 'name') })).toBe(false)
})
