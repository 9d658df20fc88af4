import { describe, expect, test } from 'vitest'
import { isAvailable, serverUrl } from '../../../test/support/database.ts'
import { egressWith } from '../egress/testing/upstream.ts'
import { readPostgres } from './reader.ts'

const { hostname: host, port, username } = new URL(serverUrl)
const place = { host, port: Number(port || 5432), database: 'postgres', user: username, password: 'none' }

describe.skipIf(!(await isAvailable('pg')))('a database of others', () => {
  const run = (statement: string, over: object = {}) =>
    readPostgres(egressWith(), { ...place, ...over }, ({ rows }) => rows(statement))

  test('gives rows whose values are text', async () => {
    expect(await run(`select 1 as n, true as b, '{1,2}'::int[] as list, null as nothing`)).toEqual([
      { n: '1', b: 't', list: '{1,2}', nothing: null },
    ])
  })

  test('is changed by nobody, whatever the account may do', async () => {
    for (const statement of ['create table parapet_reader (a int)', 'create role parapet_reader'])
      await expect(run(statement)).rejects.toMatchObject({ code: '25006' })
  })

  test('ends a statement that runs too long', async () => {
    await expect(run('select pg_sleep(600)', { statementMs: 50 })).rejects.toMatchObject({ code: '57014' })
  })

  test('is told names as they are', async () => {
    const name = await readPostgres(egressWith(), place, async ({ identifier }) => identifier('a"b; drop'))
    expect(name).toBe('"a""b; drop"')
  })

  test('at an address that is not allowed is not reached', async () => {
    await expect(run('select 1', { host: '169.254.169.254' })).rejects.toMatchObject({ kind: 'refused' })
    await expect(run('select 1', { port: 1 })).rejects.toMatchObject({ kind: 'connect' })
  })
})
