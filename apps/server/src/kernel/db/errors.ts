/**
 * Three kinds of failure of a statement: the database refused it (`DatabaseError`), the database could
 * not be reached (`DatabaseUnavailable`), or the caller went away. The first is for the caller to understand or to fail
 * on; the other two are answered here, once, for everybody. Tested in errors.test.ts and by the contract suite.
 */
import { DatabaseError as ServerError } from 'pg'
import type { AbortWatch } from '../base/abort.ts'
import { apiErrors } from '../errors/errors.ts'
import { ProblemError } from '../errors/problem.ts'

/** The server's refusal: SQLSTATE and affected objects. `detail` may hold values of a row; it is never for clients. */
export class DatabaseError extends Error {
  readonly code: string
  readonly constraint: string | null
  readonly table: string | null
  readonly column: string | null
  readonly detail: string | null
  /** The statement's text with `$n` for its values. */
  readonly statement: string | null

  constructor(cause: ServerError, statement: string | null) {
    super(cause.message, { cause })
    this.name = 'DatabaseError'
    this.code = cause.code ?? 'XX000'
    this.constraint = cause.constraint ?? null
    this.table = cause.table ?? null
    this.column = cause.column ?? null
    this.detail = cause.detail ?? null
    this.statement = statement
  }
}

/** No connection could be had, or it was lost; whether a running commit took effect is then unknown. */
export class DatabaseUnavailable extends Error {
  readonly code = 'DatabaseUnavailable'

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

// SQLSTATE classes after which the connection, or the server's means, are gone: 08 connection, 53 resources,
// 57P01-57P05 shutdown, crash, start-up, dropped database and idle session, 25P03 idle transaction, 58 system error.
const unavailable = /^(?:08|53|57P|25P03|58)/

/** The meaning of a driver's error; errors of no database kind pass unchanged. */
export function driverError(error: unknown, statement: string | null): Error {
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseError) return error
  // A value that could not be sent or read: the program's mistake, the connection is sound.
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return error
  if (!(error instanceof ServerError)) {
    const message = error instanceof Error ? error.message : String(error)
    return new DatabaseUnavailable(`The connection to the database failed: ${message}`, error)
  }
  if (unavailable.test(error.code ?? '')) return new DatabaseUnavailable(error.message, error)
  return new DatabaseError(error, statement)
}

/** Whether a transaction failed because the database is away, and not because of its own statements. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === apiErrors.unavailable.code

/** The error as a transaction's caller sees it. A statement canceled for `signal` becomes the signal's own reason. */
export function transactionError(error: unknown, signal: AbortWatch | null): unknown {
  if (error instanceof DatabaseUnavailable) {
    return apiErrors.unavailable({ what: 'The database cannot be reached. Try again.' }).causedBy(error)
  }
  if (!(error instanceof DatabaseError)) return error
  if (error.code === '57014') {
    if (signal?.aborted === true) return signal.reason
    return apiErrors.unavailable({ what: 'The database took too long. Try again.' }).causedBy(error)
  }
  if (error.code === '40001' || error.code === '40P01') {
    return apiErrors.conflict({ what: 'Another change got in the way. Try again.' }).causedBy(error)
  }
  return error
}

/** Whether a unique or exclusion rule refused the row; of that name, if one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): error is DatabaseError {
  return isViolation(error, ['23505', '23P01'], constraint)
}

export function isForeignKeyViolation(error: unknown, constraint?: string): error is DatabaseError {
  return isViolation(error, ['23503'], constraint)
}

export function isCheckViolation(error: unknown, constraint?: string): error is DatabaseError {
  return isViolation(error, ['23514'], constraint)
}

function isViolation(error: unknown, codes: readonly string[], constraint?: string): error is DatabaseError {
  if (!(error instanceof DatabaseError) || !codes.includes(error.code)) return false
  return constraint === undefined || error.constraint === constraint
}
