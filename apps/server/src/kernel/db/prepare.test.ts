import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable, serverUrl } from '../../../test/support/database.ts'
import { systemClock } from '../clock.ts'
import { createPgDriver } from './adapters/pg.ts'
import { contractRecorders, contractSchema } from './contract-schema.ts'
import { addNote, newTenant, titles } from './contract-world.ts'
import { createDatabase } from './database.ts'
import type { Driver } from './port.ts'
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

  test('a migration of data that row-level security would hide rows from fails instead', async () => {
    const blind = { id: 'contract-0002-blind', sql: 'update contract_note set rank = 0;' }
    const seeing = {
      id: 'contract-0002-seeing',
      sql: 'alter table contract_note no force row level security; update contract_note set rank = 0;',
    }
    const withMore = (more: typeof blind) => ({ ...contractSchema, migrations: [...contractSchema.migrations, more] })
    await expect(prepareDatabase(owner, systemClock(), withMore(blind))).rejects.toMatchObject({
      cause: { code: '42501' },
    })
    expect(await prepareDatabase(owner, systemClock(), withMore(seeing))).toEqual(['contract-0002-seeing'])
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
