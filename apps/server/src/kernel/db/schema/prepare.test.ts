import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable, serverUrl } from '../../../../test/support/database.ts'
import type { TenantId } from '../../access/actor.ts'
import { systemClock } from '../../base/clock.ts'
import { createPgDriver } from '../adapters/pg.ts'
import { createDatabase } from '../database.ts'
import type { Driver } from '../port.ts'
import { sql } from '../sql.ts'
import { contractRecorders, contractSchema } from '../testing/contract-schema.ts'
import { addNote, newTenant, titles } from '../testing/contract-world.ts'
import { prepareDatabase } from './prepare.ts'

const login = `parapet_test_login_${process.pid}`
const database = `parapet_test_own_${process.pid}`

function driverFor(user: string, name: string): Driver {
  const url = new URL(serverUrl)
  url.username = user
  url.pathname = `/${name}`
  return createPgDriver({ url: url.href, poolSize: 4 })
}

// The usual setting of a hosted database: the login owns its database and nothing more.
describe.skipIf(!(await isAvailable('pg')))('a login that is no superuser (skipped where no server answers)', () => {
  const administrator = createPgDriver({ url: serverUrl, poolSize: 1 })
  const owner = driverFor(login, database)

  beforeAll(async () => {
    await administrator.script(`create role ${login} login nocreaterole`)
    await administrator.script(`create database ${database} owner ${login}`)
  })
  afterAll(async () => {
    await owner.close()
    await administrator.script(`drop database if exists ${database} with (force)`)
    await administrator.script(`drop role if exists ${login}`)
    await administrator.close()
  })

  test('is told what an administrator has to run, and that is enough', async () => {
    const refused: unknown = await prepareDatabase(owner, systemClock(), contractSchema).catch(
      (error: unknown) => error,
    )
    expect(String(refused)).toContain('Have an administrator run:')
    expect(String(refused)).toContain(`grant parapet_app to ${login}`)
    const script = String(refused).split('run:\n')[1] ?? ''
    const inside = createPgDriver({ url: new URL(`/${database}`, serverUrl).href, poolSize: 1 })
    await inside.script(script)
    await inside.close()
    expect(await prepareDatabase(owner, systemClock(), contractSchema)).toEqual(['contract-0001-tables'])
  })

  test('C15 is bound by the tenant like everybody', async () => {
    const db = createDatabase({ driver: owner, recorders: contractRecorders })
    const tenantId = newTenant()
    await db.tenant({ tenantId }, (tx) => addNote(tx, 'mine'))
    expect([await titles(db, tenantId), await titles(db, newTenant())]).toEqual([['mine'], []])
  })

  const ranked = { id: 'contract-0002-ranked', sql: 'update contract_note set rank = 7;' }

  test('migrates data of all tenants, and is bound again afterwards', async () => {
    const schema = { ...contractSchema, migrations: [...contractSchema.migrations, ranked] }
    const db = createDatabase({ driver: owner, recorders: contractRecorders })
    const tenants = [newTenant(), newTenant()]
    for (const tenantId of tenants) await db.tenant({ tenantId }, (tx) => addNote(tx, 'mine'))
    expect(await prepareDatabase(owner, systemClock(), schema)).toEqual(['contract-0002-ranked'])
    const ranks = (tenantId: TenantId) =>
      db.read(tenantId, sql<{ rank: number }>`select distinct rank from contract_note`)
    expect(await Promise.all(tenants.map(ranks))).toEqual([[{ rank: 7 }], [{ rank: 7 }]])
    const forced = sql`select relforcerowsecurity as forced from pg_class where relname = 'contract_note'`
    expect(await db.read(newTenant(), forced)).toEqual([{ forced: true }])
  })

  test('is refused what it may not do', async () => {
    const greedy = { id: 'contract-0003-greedy', sql: "select pg_read_file('postgresql.conf');" }
    const schema = { ...contractSchema, migrations: [...contractSchema.migrations, ranked, greedy] }
    await expect(prepareDatabase(owner, systemClock(), schema)).rejects.toMatchObject({ cause: { code: '42501' } })
  })

  test('several instances starting on an empty database together all get ready', async () => {
    const name = `${database}_together`
    await administrator.script(`create database ${name}`)
    const url = new URL(`/${name}`, serverUrl).href
    const drivers = Array.from({ length: 4 }, () => createPgDriver({ url, poolSize: 2 }))
    const applied = await Promise.all(drivers.map((driver) => prepareDatabase(driver, systemClock(), contractSchema)))
    await Promise.all(drivers.map((driver) => driver.close()))
    await administrator.script(`drop database ${name} with (force)`)
    expect(applied.flat()).toEqual(['contract-0001-tables'])
  })
})
