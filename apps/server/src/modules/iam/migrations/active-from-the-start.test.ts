import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/support/database.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { systemClock } from '../../../kernel/base/clock.ts'
import { script } from '../../../kernel/db/owner.ts'
import { migrate } from '../../../kernel/db/schema/migrate.ts'
import { modules } from '../../../modules.ts'

const tenant = '018f3a00-0000-7000-8000-00000000000a'
const account = (n: number, status: string, managedBy = 'local'): string =>
  `('${tenant}', '018f3a00-0000-7000-8000-0000000001${String(n).padStart(2, '0')}', 'human', 'p${n}@a.example',
    'p${n}@a.example', '${status}', '${managedBy}', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`

test('accounts of an older version that were active from the start are told from invitations nobody took', async () => {
  const { driver, close } = await openTestDatabase({ tables: [], migrations: [] })
  const { migrations } = schemaOf(modules)
  const at = migrations.findIndex(({ id }) => id === 'iam-0029-active-from-the-start')
  try {
    await migrate(driver, systemClock(), migrations.slice(0, at))
    await driver.script(`
      insert into iam_tenant (id, path, name, slug, status, settings, quotas, created_at, updated_at)
      values ('${tenant}', array['${tenant}'::uuid], 'A', 'a', 'active', '{}', '{}', now(), now());
      insert into iam_user (tenant_id, id, type, email, email_key, status, managed_by, created_at, updated_at) values
      ${[account(1, 'active'), account(2, 'invited'), account(3, 'deactivated'), account(4, 'deactivated', 'scim'), account(5, 'suspended')].join(', ')};
      alter table iam_user enable row level security;
      alter table iam_user force row level security`)
    await migrate(driver, systemClock(), migrations)
    const session = await driver.acquire()
    const [answer] = await session.run([
      script('select email, active_since is not null as known from iam_user order by email'),
    ])
    session.release()
    expect(answer?.rows.map(({ known }) => known)).toEqual([true, false, false, true, true])
  } finally {
    await close()
  }
})
