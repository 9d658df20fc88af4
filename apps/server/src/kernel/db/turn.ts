/**
 * Work that one instance does at a time, in the flush that asks whether it may: later statements of the transaction see
 * what came of the question and find nothing to do where the turn is another one's. Tested in turn.test.ts.
 */
import { type Sql, type SqlPart, sql } from './sql.ts'

const setting = 'parapet.turn'

/** Takes the turn for the rest of the transaction, unless another one has it. One turn a transaction. */
export function takeTurn(name: string): Sql<{ got: boolean }> {
  return sql<{ got: boolean }>`
    select set_config(${setting}, pg_try_advisory_xact_lock(hashtextextended(${name}, 0))::text, true) = 'true' as got`
}

/** A condition of statements behind `takeTurn`: whether the turn is this transaction's. */
export const isOurTurn: SqlPart = sql`current_setting(${setting}, true) = 'true'`
