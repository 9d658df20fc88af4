import { expect, test } from 'vitest'
import { unsaid } from './fault.ts'
import { errorInAnswer, errorInBody, messageInBody } from './said-error.ts'

const words = 'No such model.'

test.each([
  [{ error: { message: words, type: 't', code: 'c' } }, { message: words, type: 't', code: 'c' }],
  [[{ error: { code: 400, message: words, status: 'INVALID_ARGUMENT' } }], { message: words, type: null, code: 400 }],
  [{ error: words }, { message: words, type: null, code: null }],
  [
    { object: 'error', message: words, type: 'BadRequestError', code: 404 },
    { message: words, code: 404 },
  ],
  [{ detail: words }, { message: words }],
  [{ detail: [{ loc: ['body', 'messages', 0], msg: 'Field required' }] }, { message: 'messages.0: Field required' }],
  [{ message: { detail: [{ msg: 'a' }, { msg: 'b' }] } }, { message: 'a; b' }],
  [{ Message: words }, { message: words }],
  [{ errors: [{ message: words }] }, { message: words }],
  [
    { title: 'Bad Request', status: 400 },
    { message: 'Bad Request', code: 400 },
  ],
  [words, { message: words }],
  [{ error: { message: null } }, { message: null }],
  [null, { message: null }],
])('the body %j is read as %j', (body, expected) => {
  expect(errorInBody(JSON.stringify(body))).toMatchObject(expected)
})

test('a router is quoted with the words of the provider behind it', () => {
  const raw = JSON.stringify({ error: { message: 'prompt is too long' } })
  const body = { error: { message: 'Provider returned error', code: 400, metadata: { raw } } }
  expect(messageInBody(JSON.stringify(body))).toBe('Provider returned error: prompt is too long')
})

test('a plain sentence is shown without what looks like a key, and markup is not shown', () => {
  expect(messageInBody('Failed to read sk-abcdefghijklmnop1234\nat 1')).toBe('Failed to read [secret] at 1')
  expect(messageInBody('<h1>secret internals</h1>')).toBe(unsaid)
  expect(messageInBody('502: <p>internals</p>')).toBe(unsaid)
  expect(messageInBody('')).toBe(unsaid)
})

test('an answer is an error where it says so, or where it is no answer and has words', () => {
  const isError = (value: unknown) => errorInAnswer(value, 'choices') !== null
  expect(isError({ error: { message: words } })).toBe(true)
  expect(isError({ error: words, choices: [] })).toBe(true)
  expect(isError([{ error: { message: words } }])).toBe(true)
  expect(isError({ object: 'error' })).toBe(true)
  expect(isError({ detail: words })).toBe(true)
  expect(isError({ error: null, choices: [] })).toBe(false)
  expect(isError({ error: {}, choices: [] })).toBe(false)
  expect(isError({ choices: [], message: words })).toBe(false)
  expect(isError({})).toBe(false)
})
