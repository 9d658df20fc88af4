/** Properties of a database that refuse the start. Tested in risks.test.ts. */
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/load.ts'
import type { FoundRisk } from '../../config/risks.ts'
import { servesOthers } from '../../config/serves-others.ts'
import { script } from '../owner.ts'
import type { Driver, Result } from '../port.ts'
import { migrationTable } from './migrate.ts'

/** Seconds between the clocks beyond which tokens, locks and the audit log tell wrong times. */
const mostSecondsOff = 30

type Settings = Pick<Config, 'host' | 'publicUrl'>

/** Reads and changes nothing; before the migrations. */
export async function databaseRisks(
  driver: Driver,
  config: Settings,
  clock: Pick<Clock, 'now'>,
): Promise<readonly FoundRisk[]> {
  const session = await driver.acquire()
  try {
    const ask = async (text: string): Promise<Result['rows'][number]> =>
      (await session.run([script(text)]))[0]?.rows[0] ?? {}
    const found = [await clockRisk(driver, ask, clock), await loginRisk(driver, ask, config)]
    return found.filter((risk) => risk !== null)
  } finally {
    session.release()
  }
}

type Ask = (text: string) => Promise<Result['rows'][number]>

/** The embedded database has this machine's clock; its contents only reveal a clock that went back. */
async function clockRisk({ kind }: Driver, ask: Ask, clock: Pick<Clock, 'now'>): Promise<FoundRisk | null> {
  const { ms } = await ask('select extract(epoch from clock_timestamp())::float8 * 1000 as ms')
  const off = kind === 'pg' ? Math.abs(Number(ms) - clock.now()) / 1000 : 0
  const { there } = await ask(`select to_regclass('public.${migrationTable}') is not null as there`)
  const { newest } =
    there === true
      ? await ask(`select extract(epoch from max(applied_at))::float8 * 1000 as newest from ${migrationTable}`)
      : { newest: null }
  const behind = newest === null || newest === undefined ? 0 : (Number(newest) - clock.now()) / 1000
  const worst = Math.round(Math.max(off, behind))
  if (worst <= mostSecondsOff) return null
  const whose = off >= behind ? "the database server's" : 'the newest change of the schema'
  return {
    risk: 'clock',
    what: `The clock of this machine is ${worst} seconds off ${whose}: tokens, locks and the audit log would tell wrong times. Synchronize it.`,
  }
}

/** In the embedded database there is one login, in this process. */
async function loginRisk({ kind }: Driver, ask: Ask, config: Settings): Promise<FoundRisk | null> {
  if (kind !== 'pg' || !servesOthers(config)) return null
  const { rolsuper, rolbypassrls, login } = await ask(
    'select rolsuper, rolbypassrls, current_user as login from pg_roles where rolname = current_user',
  )
  if (rolsuper !== true && rolbypassrls !== true) return null
  return {
    risk: 'login',
    what: `PARAPET_DATABASE_URL: ${String(login)} ${rolsuper === true ? 'is a superuser' : 'bypasses row-level security'}, so one flaw in a statement would open every tenant. Use a login that owns the database and has no such right.`,
  }
}
