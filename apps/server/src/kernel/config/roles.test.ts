import { expect, test } from 'vitest'
import { checkRole, dutiesOf, roles, withRole } from './roles.ts'

test('each duty is done by one role, and by all', () => {
  const doing = (duty: keyof ReturnType<typeof dutiesOf>) => roles.filter((role) => dutiesOf(role)[duty])
  expect(doing('servesApi')).toEqual(['all', 'api'])
  expect(doing('runsJobs')).toEqual(['all', 'worker'])
  expect(doing('movesEvents')).toEqual(['all', 'relay'])
})

test('the command line names a role before the environment does', () => {
  expect(withRole({ PARAPET_ROLE: 'api' }, ['--role=worker'])).toEqual({ PARAPET_ROLE: 'worker' })
  expect(withRole({ PARAPET_ROLE: 'api' }, [])).toEqual({ PARAPET_ROLE: 'api' })
})

test('a part of an installation needs a database to share', () => {
  expect(() => checkRole({ role: 'relay', databaseUrl: null })).toThrow(/PARAPET_ROLE=relay needs PARAPET_DATABASE_URL/)
  expect(() => checkRole({ role: 'all', databaseUrl: null })).not.toThrow()
})
