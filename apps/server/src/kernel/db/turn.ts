/**
 * Work that one instance does at a time, in the flush that takes the turn: later statements of the transaction see
 * the result and find nothing to do where another instance has the turn. Tested in turn.test.ts.
 */
import { type Sql, type SqlPart, sql } from './sql.ts'

const setting = 'parapet.turn'

/** Takes the turn for the rest of the transaction, unless another one has it. One turn a transaction. */
export function takeTurn(name: string): Sql<{ got: boolean }> {
  return sql<{ got: boolean }>`
    select set_config(${setting}, pg_try_advisory_xact_lock(hashtextextended(${name}, 0))::text, true) = 'true' as got`
}

/** Waits for the turn and has it for the rest of the transaction: for work that must not meet the other. */
export function awaitTurn(name: string): Sql<unknown> {
  return sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** A condition of statements behind `takeTurn`: whether the turn is this transaction's. */
export const isOurTurn: SqlPart = sql`current_setting(${setting}, true) = 'true'`
