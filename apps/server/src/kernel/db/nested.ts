import { createDatabase } from './database.ts'
import { script } from './owner.ts'
import type { Database, Driver, Session } from './port.ts'
import type { Recorders } from './recorders.ts'
import { begin, beginReadOnly, commit, rollback } from './scope.ts'
import type { Sql } from './sql.ts'

/** The transaction goes on as the owner after the part: scope and role are the transaction's, not the savepoint's. */
const leave = `reset role; set local statement_timeout = 0; select set_config('app.tenant_id', '', true)`
const replacements = new Map<Sql<unknown>, Sql<unknown>>([
  [begin, script('savepoint nested')],
  [beginReadOnly, script('savepoint nested')],
  [commit, script(`release savepoint nested; ${leave}`)],
  [rollback, script(`rollback to savepoint nested; ${leave}`)],
])

/**
 * The database as it looks inside an open transaction of the owner: each transaction of the answer is a part of it and
 * counts when it commits. One at a time.
 */
export function nestedDatabase(kind: Driver['kind'], session: Session, recorders: Recorders): Database {
  const part: Session = {
    run: (statements) => session.run(statements.map((statement) => replacements.get(statement) ?? statement)),
    cancel: () => session.cancel(),
    release: () => undefined,
  }
  const driver: Driver = {
    kind,
    acquire: async () => part,
    script: async () => {
      throw new TypeError('the schema is not changed inside of a transaction')
    },
    stats: () => ({ total: 1, idle: 0, waiting: 0 }),
    close: async () => undefined,
  }
  return createDatabase({ driver, recorders })
}
