import { expect, test } from 'vitest'
import { allows, touchesReviewed } from './declaration.ts'
import { registrableDomain } from './registrable-domain.ts'
import { matchesWildcard } from './wildcard.ts'

const agent = {
  models: [{ provider: 'openai', model: 'gpt-4.1*' }],
  tools: [{ server_slug: 'github', tool: 'list_*', capability: 'read' as const }],
  destinations: ['api.example.co.uk', 'github.com'],
  data_classes: ['confidential' as const],
}

test.each([
  ['tool', 'github/list_issues', true],
  ['tool', 'github/delete_repo', false],
  ['tool', 'gitlab/list_issues', false],
  ['model', 'openai/gpt-4.1-mini', true],
  ['model', 'openai/o3', false],
  ['destination', 'example.co.uk', true],
  ['destination', 'evil.example', false],
  ['data_class', 'internal', true],
  ['data_class', 'restricted', false],
] as const)('%s %s is allowed: %s', (kind, name, allowed) => {
  expect(allows(agent, { kind, name })).toBe(allowed)
})

test.each([
  ['www.example.co.uk', 'example.co.uk'],
  ['Someone.GitHub.io', 'someone.github.io'],
  ['10.0.0.1', '10.0.0.1'],
  ['localhost', 'localhost'],
])('the registrable domain of %s is %s', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain)
})

test('stars stand for any characters, and many of them cost no time', () => {
  expect(matchesWildcard('*', 'anything')).toBe(true)
  expect(matchesWildcard('a*b*c', 'axxbyyc')).toBe(true)
  expect(matchesWildcard('a*b*c', 'axxcyyb')).toBe(false)
  expect(matchesWildcard('ab', 'abc')).toBe(false)
  expect(matchesWildcard('*a'.repeat(60), 'a'.repeat(10_000))).toBe(true)
})

test('only a member that says something else asks for a review', () => {
  const row = { ...agent, autonomy_level: 1, untrusted_input: false, expected_calls_per_day: 0 }
  expect(touchesReviewed(row, { autonomy_level: 1, tools: [...agent.tools] })).toBe(false)
  expect(touchesReviewed(row, { autonomy_level: 2 })).toBe(true)
})
