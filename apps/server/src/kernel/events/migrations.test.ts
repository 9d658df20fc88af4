import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../base/clock.ts'
import { script } from '../db/owner.ts'
import { migrate } from '../db/schema/migrate.ts'
import { eventMigrations } from './migrations.ts'

const tenant = '018f3a00-0000-7000-8000-00000000000a'
const id = (n: number): string => `018f3a00-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`

const event = (n: number): string => `('${tenant}', '${id(n)}', 'risk.case.opened', 'CaseOpened', 'case', now(), '{}',
  ${n + 40}, ${n}, now())`

test('a handler goes on behind the last event that an older version noted as handled', async () => {
  const { driver, close } = await openTestDatabase({ tables: [], migrations: [] })
  try {
    const through = eventMigrations.findIndex(({ id }) => id.endsWith('handled-through'))
    await migrate(driver, systemClock(), eventMigrations.slice(0, through))
    await driver.script(`
      insert into event_log (tenant_id, id, channel, type, subject, time, data, position, sequence, logged_at)
      values ${[1, 2, 3].map(event).join(', ')};
      insert into handled_event (tenant_id, handler, id, at) values
        ('${tenant}', 'test.count', '${id(1)}', now()), ('${tenant}', 'test.count', '${id(2)}', now()),
        ('${tenant}', 'test.other', '${id(3)}', now()), ('${tenant}', 'test.gone', '${id(9)}', now())`)
    await migrate(driver, systemClock(), eventMigrations)
    const session = await driver.acquire()
    const [answer] = await session.run([
      script('select handler, position, prior from handled_through order by handler'),
    ])
    session.release()
    expect(answer?.rows).toEqual([
      { handler: 'test.count', position: 42, prior: null },
      { handler: 'test.other', position: 43, prior: null },
    ])
  } finally {
    await close()
  }
})
