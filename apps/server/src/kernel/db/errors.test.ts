import { DatabaseError as ServerError } from 'pg'
import { describe, expect, test } from 'vitest'
import {
  DatabaseError,
  DatabaseUnavailable,
  driverError,
  isCheckViolation,
  isForeignKeyViolation,
  isUniqueViolation,
  transactionError,
} from './errors.ts'

function serverError(code: string, constraint?: string): ServerError {
  const error = new ServerError('said the server', 10, 'error')
  error.code = code
  error.constraint = constraint
  return error
}

test.each(['08006', '53300', '53100', '57P01', '57P03', '25P03', '58030'])(
  'SQLSTATE %s means the database is unavailable',
  (code) => {
    const error = driverError(serverError(code), null)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(transactionError(error, null)).toMatchObject({ code: 'API-009', status: 503, cause: error })
  },
)

test('a lost connection is unavailable and keeps its cause', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(driverError(cause, null)).toMatchObject({ code: 'DatabaseUnavailable', cause })
})

test.each([new RangeError('too big'), new TypeError('undefined'), new SyntaxError('json')])(
  '%s is the program’s mistake',
  (error) => {
    expect(driverError(error, null)).toBe(error)
    expect(transactionError(error, null)).toBe(error)
  },
)

test('a refusal keeps its SQLSTATE, constraint and statement', () => {
  const error = driverError(serverError('23505', 'user_email'), 'insert into user')
  expect(error).toBeInstanceOf(DatabaseError)
  expect(error).toMatchObject({ code: '23505', constraint: 'user_email', statement: 'insert into user' })
  expect(transactionError(error, null)).toBe(error)
})

test.each(['40001', '40P01'])('%s is a conflict', (code) => {
  expect(transactionError(driverError(serverError(code), null), null)).toMatchObject({ code: 'API-011', status: 409 })
})

describe('a canceled statement', () => {
  const canceled = driverError(serverError('57014'), null)

  test('is the caller’s own reason when the caller went away', () => {
    const reason = new Error('gone')
    expect(transactionError(canceled, AbortSignal.abort(reason))).toBe(reason)
  })

  test('is a timeout otherwise', () => {
    expect(transactionError(canceled, new AbortController().signal)).toMatchObject({ code: 'API-009' })
  })
})

test('violations are told apart, by kind and by name', () => {
  const unique = driverError(serverError('23505', 'user_email'), null)
  expect(isUniqueViolation(unique)).toBe(true)
  expect(isUniqueViolation(unique, 'user_email')).toBe(true)
  expect(isUniqueViolation(unique, 'other')).toBe(false)
  expect(isUniqueViolation(new Error('no'))).toBe(false)
  expect(isForeignKeyViolation(driverError(serverError('23503'), null))).toBe(true)
  expect(isCheckViolation(driverError(serverError('23514'), null))).toBe(true)
  expect(isForeignKeyViolation(unique)).toBe(false)
})
