import { describe, expect, test } from 'vitest'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { plainAsked } from '../call/asked.ts'
import { emptyCall } from '../call/call.ts'
import { errors } from '../declared/errors.ts'
import { anthropicError } from './anthropic/form.ts'
import { openAiError } from './openai/form.ts'
import { messageOf, pointersOf, retryHeaders, withRawHeaders } from './raw.ts'

const asked = { ...plainAsked, operation: 'chat', dialect: 'openai', model: 'm', read: () => emptyCall } as const
const headers = (all: Readonly<Record<string, string>>) => ({ header: (name: string) => all[name] })

describe('headers of a call', () => {
  test('name provider and policy, and set cache, tags and retention', () => {
    const said = {
      'x-gateway-provider': 'local',
      'x-gateway-policy': 'strict',
      'x-gateway-cache': 'exact; max-age=60',
      'x-gateway-tags': 'a, b',
      'x-gateway-retention': 'metadata',
    }
    expect(withRawHeaders(asked, headers(said))).toMatchObject({
      provider: 'local',
      policy: 'strict',
      cache: { mode: 'exact', maxAgeS: 60 },
      tags: ['a', 'b'],
      retention: 'metadata',
    })
    expect(withRawHeaders(asked, headers({}))).toEqual(asked)
  })

  test.each([
    ['x-gateway-provider', 'two words'],
    ['x-gateway-provider', ''],
    ['x-gateway-policy', 'x'.repeat(64)],
    ['x-gateway-cache', 'never'],
    ['x-gateway-cache', 'exact; max-age=-1'],
    ['x-gateway-retention', 'full'],
    ['x-gateway-agent', 'two words'],
  ])('%s: %s is refused', (name, value) => {
    expect(() => withRawHeaders(asked, headers({ [name]: value }))).toThrow(/X-Gateway-/)
  })
})

describe('a refusal', () => {
  const noRetry = { 'x-should-retry': 'false' }

  test('says where trying again cannot help', () => {
    for (const problem of [
      authErrors.missing(),
      errors.promptInjection({ names: [], count: 1 }),
      errors.budgetExceeded({ what: 'x' }),
      errors.killSwitch({ what: 'x' }),
      errors.upstreamFailed({ provider: 'x', how: 'did not answer' }),
    ])
      expect(retryHeaders(problem)).toEqual(noRetry)
    for (const problem of [
      apiErrors.rateLimited({ seconds: 1 }),
      errors.limitExceeded({ what: 'Full.', seconds: 1 }),
      errors.upstreamRateLimited({ seconds: 1 }),
      errors.noHealthyTarget(),
    ])
      expect(retryHeaders(problem)).toEqual({})
  })

  test('has the words of the policy behind its own, and the places that were wrong', () => {
    const problem = errors.capability({ model: 'm', field: '/n' }).at([{ detail: 'x', pointer: '/n' }, { detail: 'y' }])
    expect(pointersOf(problem)).toEqual(['/n'])
    expect(messageOf(problem.withMembers({ message: 'Ask the help desk.' }), String)).toBe(
      'The model m does not take /n. Ask the help desk.',
    )
  })

  test('says whose keys are taken to a program that still sends the vendor’s', () => {
    expect(openAiError(authErrors.invalid()).error.message).toMatch(
      /not valid\. .+\(ppt_…\).+ not one of the vendor\.$/,
    )
  })

  test('says what is wrong with a body that is not valid, and where', () => {
    const problem = apiErrors.validation({ what: 'One field of the body is not valid.' })
    const wrong = problem.at([{ detail: 'This must be number.', pointer: '/messages/0/top' }])
    const { error } = openAiError(wrong)
    expect(error.message).toBe('One field of the body is not valid. messages[0].top: This must be number.')
    expect(anthropicError(wrong, 'req_1').error.message).toBe(
      'One field of the body is not valid. messages.0.top: This must be number.',
    )
  })
})
