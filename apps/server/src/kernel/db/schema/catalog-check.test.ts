import { Type } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { isAvailable, openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { asOwner } from '../owner.ts'
import { table } from '../table.ts'
import { contractSchema, notes } from '../testing/contract-schema.ts'
import { readCatalog } from './catalog.ts'
import { differences } from './catalog-check.ts'
import { prepareDatabase } from './prepare.ts'

const strange = [
  ['a table nobody declared', 'create table stray (id uuid)', 'stray: is not declared'],
  [
    'row-level security switched off',
    'alter table contract_note disable row level security',
    'row-level security is off',
  ],
  [
    'row-level security not forced',
    'alter table contract_note no force row level security',
    'row-level security is on',
  ],
  ['a missing policy', 'drop policy contract_note_tenant on contract_note', 'policies are'],
  ['a policy more', 'create policy extra on contract_note for select using (true)', 'policies are'],
  [
    'a policy with another condition',
    'alter policy contract_note_tenant on contract_note using (true)',
    'policies are',
  ],
  ['a grant too many', 'grant truncate on contract_note to parapet_app', 'grants are'],
  ['a grant to everybody', 'grant select on contract_note to public', 'public:select'],
  ['a grant too few', 'revoke select on contract_note from parapet_app', 'grants are'],
  ['a system role that reads a module table', 'grant select on contract_note to parapet_system', 'grants are'],
  ['a system role that reads a column', 'grant select (title) on contract_note to parapet_system', 'select(title)'],
  ['a column the schedule misses', 'revoke select (kind) on contract_record from parapet_system', 'grants are'],
  ['a time without precision', 'alter table contract_note add column t timestamptz', 't is timestamp with time zone'],
  ['a time without zone', 'alter table contract_note add column t timestamp(3)', 't is timestamp(3) without time zone'],
  ['a declared column that is gone', 'alter table contract_note drop column tags', 'column tags does not exist'],
  ['a sort order without an index', 'drop index contract_note_rank', 'sorting by rank has no index'],
  [
    'a tenant column on a platform table',
    'alter table contract_setting add column tenant_id uuid',
    'declared for the platform',
  ],
  [
    'a foreign key that crosses tenants',
    'create unique index loose on contract_note (id); alter table contract_counter add constraint crossing foreign key (id) references contract_note (id)',
    'foreign key crossing to contract_note leaves out tenant_id',
  ],
  ['a declared table that is gone', 'drop table contract_setting', 'contract_setting: is declared and does not exist'],
] as const

for (const kind of ['pglite', 'pg'] as const) {
  describe.skipIf(!(await isAvailable(kind)))(`the catalog check on ${kind} (skipped where it cannot run)`, () => {
    let opened: Promise<TestDatabase> | undefined
    const database = (): Promise<TestDatabase> => {
      opened ??= openTestDatabase(contractSchema, kind)
      return opened
    }
    afterAll(async () => (await database()).close())

    test('finds nothing in a prepared database', async () => {
      const { driver } = await database()
      const found = await asOwner(driver, async (run) => differences(contractSchema.tables, await readCatalog(run)))
      expect(found).toEqual([])
    })

    test.each(strange)('C15 names %s', async (_what, change, sentence) => {
      const { driver } = await database()
      let found: readonly string[] = []
      const undone = asOwner(driver, async (run) => {
        await run({ text: change, name: '', values: [] })
        found = differences(contractSchema.tables, await readCatalog(run))
        throw new Error('undo')
      })
      await expect(undone).rejects.toThrow('undo')
      expect(found.join('\n')).toContain(sentence)
    })

    test('C15 preparing puts security right and refuses what it cannot', async () => {
      const { driver } = await database()
      await driver.script(
        'alter table contract_note no force row level security; grant delete on contract_record to parapet_app',
      )
      await prepareDatabase(driver, systemClock(), contractSchema)
      const undeclared = { ...contractSchema, tables: contractSchema.tables.filter((one) => one !== notes) }
      await expect(prepareDatabase(driver, systemClock(), undeclared)).rejects.toThrow(/contract_note: is not declared/)
      const imagined = table({ name: 'imagined', row: Type.Object({ id: Type.String() }), data: notes.data })
      const more = { ...contractSchema, tables: [...contractSchema.tables, imagined] }
      await expect(prepareDatabase(driver, systemClock(), more)).rejects.toThrow(
        /imagined: is declared and does not exist/,
      )
    })
  })
}
