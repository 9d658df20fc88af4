import { expect, test } from 'vitest'
import { type OutputCheck, outputChecks } from './checks/rules.ts'
import { openersFor } from './openers.ts'

test.each<[OutputCheck, string, string]>([
  ['links', 'see [here', 'curl x'],
  ['commands', 'rm -rf /', 'see [here'],
  ['packages', 'npm install x', 'see [here'],
  ['terminal', 'a\u001b[0m', 'npm install x'],
  ['hidden-text', 'a\u200bb', 'a\u001b'],
])('%s is opened by its own openers alone', (check, opened, other) => {
  const openers = openersFor({ checks: [check] })
  expect(openers.firstEnd(opened)).toBeGreaterThan(0)
  expect(openers.firstEnd(other)).toBe(-1)
})

test('where nothing is looked for in one place, nothing is held', () => {
  const openers = openersFor({ checks: ['canary', 'prompt-leak'] })
  expect(openers.firstEnd('see [here](https://example.com)')).toBe(-1)
  expect(openers.undecidedEnd('https:/')).toBe(0)
})

test('a store of credentials opens the arguments of tools by its name', () => {
  expect(openersFor({ checks: ['commands'], channel: 'tool_call' }).firstEnd('a .aws/credentials')).toBeGreaterThan(0)
})

test('the beginning of an opener and the word before one are not decided', () => {
  const openers = openersFor({ checks: outputChecks })
  expect(openers.undecidedEnd('please npm inst')).toBeGreaterThanOrEqual('npm inst'.length)
  expect(openersFor({ checks: ['links'] }).undecidedEnd('see http')).toBe('http'.length)
  expect(openersFor({ checks: ['links'] }).undecidedEnd('see it ')).toBe(0)
})
