import type { Driver, Result, Session } from './port.ts'
import { begin, commit, rollback } from './scope.ts'
import { type Sql, sql } from './sql.ts'

/** A text of ours, possibly of several statements, without parameters. */
export function script(text: string): Sql<never> {
  return { text, name: '', values: [] }
}

/** Serializes everything that changes the schema, across instances. The number is ours: "parapet" in ASCII, cut to 63 bits. */
const schemaLock = sql`select pg_advisory_xact_lock(7021802796843065448)`

/** One transaction as the owner of the tables, alone among all that change the schema. */
export async function asOwner<T>(driver: Driver, work: (run: OwnerRun) => Promise<T>): Promise<T> {
  return asOwnerSession(driver, work)
}

/** As `asOwner`, for work that reads in pages or lends the transaction on. */
export async function asOwnerSession<T>(
  driver: Driver,
  work: (run: OwnerRun, session: Session) => Promise<T>,
): Promise<T> {
  const session = await driver.acquire()
  try {
    await session.run([begin, schemaLock])
    const result = await work(runOn(session), session)
    await session.run([commit])
    return result
  } catch (error) {
    await session.run([rollback]).catch(() => {})
    throw error
  } finally {
    session.release()
  }
}

/** Runs one statement and answers its rows. */
export type OwnerRun = (statement: Sql<unknown>) => Promise<Result['rows']>

function runOn(session: Session): OwnerRun {
  return async (statement) => (await session.run([statement]))[0]?.rows ?? []
}
