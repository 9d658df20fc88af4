/** The files of a module that belong to all its resources, as text by path below the module's folder. */

export function moduleFiles(module) {
  return {
    'index.ts': manifest(module),
    'errors/errors.ts': errors(module),
    'facts.ts': facts(module),
    'facts.test.ts': factsTest(module),
    'retirement.ts': retirement(module),
    'retirement.test.ts': retirementTest(module),
    ...(module.signal === null ? {} : { 'signals.ts': signals(module), 'signals.test.ts': signalsTest(module) }),
  }
}

const each = (module, line, between = '\n') => module.resources.map(line).join(between)

const manifest = (module) => `/**
 * ${module.title}: ${each(module, (one) => one.manyWords, ' and ')}, each with a name of its own, until it is retired by a
 * person or by its expiry. Promises that nothing retired changes any more; does not keep what was deleted. Tested beside
 * its files.
 */
import type { Kernel } from '../../kernel/kernel.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { errors } from './errors/errors.ts'
import { ${module.resources[0].many}Fact } from './facts.ts'
${each(
  module,
  (one) => `import { ${one.one}Retired } from './${one.folder}/events.ts'
import { ${one.one}Routes } from './${one.folder}/${one.folder}.routes.ts'
import { ${one.many} } from './${one.folder}/table.ts'
import { ${one.many}Migration } from './migrations/${one.migration}.ts'`,
)}
import { retirementJob } from './retirement.ts'
${module.signal === null ? '' : `import { ${module.variable}Signals } from './signals.ts'\n`}
export default defineModule<Kernel>({
  name: '${module.name}',
  prefix: '${module.name}',
  errors,
  tables: [${each(module, (one) => one.many, ', ')}],
  migrations: [${each(module, (one) => `${one.many}Migration`, ', ')}],
  routes: [${each(module, (one) => `...${one.one}Routes`, ', ')}],
  emits: [${each(module, (one) => `${one.one}Retired`, ', ')}],
  jobs: [retirementJob],
  facts: [${module.resources[0].many}Fact],
  services: (kernel) => kernel,
${module.signal === null ? '' : `  signals: (_services, tx, at) => ${module.variable}Signals(tx, at),\n`}})
`

const errors = (module) => `import { defineErrors } from '../../../kernel/errors/errors.ts'

export const errors = defineErrors('${module.errorPrefix}', {
  nameTaken: [
    1,
    409,
    'Name Taken',
    (p: { what: string; name: string }) => \`There is a \${p.what} named "\${p.name}" already.\`,
  ],
  retired: [2, 409, 'Retired', (p: { what: string }) => \`A retired \${p.what} does not change.\`],
})
`

const facts = (module) => {
  const [first] = module.resources
  return `/** What other modules may read of this one by name. Tested in facts.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { strictObject } from '../../kernel/schema/types.ts'

const ${first.type}Counts = strictObject({
  active: Type.Integer({ minimum: 0 }),
  retired: Type.Integer({ minimum: 0, description: 'By a person or by their expiry' }),
})

export const ${first.many}Fact = defineFact({
  name: '${factName(module)}',
  description: '${capital(first.manyWords)} by status, those past their expiry as retired.',
  permission: '${module.name}:read',
  schema: ${first.type}Counts,
  read: async ({ tx, at }) =>
    (await tx.first(sql<Static<typeof ${first.type}Counts>>\`
      select count(*) filter (where in_force)::int as active, count(*) filter (where not in_force)::int as retired
      from (
        select status = 'active' and (expires_at is null or expires_at > \${at}) as in_force
        from ${first.table}) listed\`)) ?? { active: 0, retired: 0 },
})
`
}

const factsTest = (module) => {
  const [first] = module.resources
  return `import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../test/support/facts.ts'
import { expectStatus, openWorld, type World } from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('${first.manyWords} are counted by status, and what has expired is not in force', async () => {
  const { admin, id: tenantId } = await world.tenant('${module.name}-facts')
  const path = '/${module.name}/${first.folder}'
  const inForce = () => readFact(world, tenantId, '${factName(module)}')
  expect(await inForce()).toEqual({ active: 0, retired: 0 })
  const { id } = expectStatus(await admin.post(path, { name: 'one' }), 201).body.data
  expectStatus(await admin.post(path, { name: 'two' }), 201)
  expectStatus(await admin.post(path, { name: 'past', expires_at: '2020-01-01T00:00:00.000Z' }), 201)
  expect(await inForce()).toEqual({ active: 2, retired: 1 })
  expectStatus(await admin.patch(\`\${path}/\${id}\`, { status: 'retired' }), 200)
  expect(await inForce()).toEqual({ active: 1, retired: 2 })
})
`
}

const factName = (module) => `${module.segment}.${module.resources[0].folder.replaceAll('-', '_')}`
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)

const retirement = (module) => `/** Retires what has expired, once a minute. Tested in retirement.test.ts. */
import { type SqlPart, sql } from '../../kernel/db/sql.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { DueAt, JobDeclaration } from '../../kernel/module/module.ts'
${each(
  module,
  (one) => `import { retireExpired${one.types}, some${one.types}Expired } from './${one.folder}/${one.folder}.ts'`,
)}

export const retirementJob: JobDeclaration<Kernel> = {
  kind: '${module.segment}.retirement',
  maxAttempts: 3,
  leaseMs: 30_000,
  everyMs: 60_000,
  due: somethingExpired,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      ${each(module, (one) => `await retireExpired${one.types}(kernel, tx)`, '\n      ')}
    }),
}

function somethingExpired(at: DueAt): SqlPart {
  return sql\`(${each(module, (one) => `\${some${one.types}Expired(at)}`, ' or ')})\`
}
`

const retirementTest = (module) => `import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import type { TenantId } from '../../kernel/access/actor.ts'
import { sql } from '../../kernel/db/sql.ts'
import { retirementJob } from './retirement.ts'

const past = '2020-01-01T00:00:00.000Z'
const future = '2999-01-01T00:00:00.000Z'
const lists = [${each(module, (one) => `'/${module.name}/${one.folder}'`, ', ')}]

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('${module.name}-retirement')
})
afterAll(() => world?.close())

/** Whether the schedule would give this tenant a job now. */
async function isDue(id: TenantId): Promise<boolean> {
  const { clock, db } = world.kernel
  const ago = (ms: number) => new Date(clock.now() - ms).toISOString()
  const due = retirementJob.due?.({ now: clock.iso(), ago }) ?? sql\`true\`
  const rows = await db.system('test', (tx) =>
    tx.query(sql<{ id: string }>\`select tenant.id from unnest(\${[id]}::uuid[]) as tenant(id) where \${due}\`),
  )
  return rows.length > 0
}

test.each(lists)('what has expired in %s is due, is retired by the job and is due no more', async (path) => {
  const { admin, id } = tenant
  const made = async (name: string, expires_at: string) =>
    expectStatus(await admin.post(path, { name, expires_at }), 201).body.data.id
  const kept = await made('in force', future)
  expect(await isDue(id)).toBe(false)
  const expired = await made('expired', past)
  expect(await isDue(id)).toBe(true)
  await world.kernel.db.tenant({ tenantId: id }, (tx) => tx.enqueue({ kind: retirementJob.kind, payload: {} }))
  await expect.poll(async () => (await admin.get(\`\${path}/\${expired}\`)).body.data.status).toBe('retired')
  expect((await admin.get(\`\${path}/\${kept}\`)).body.data.status).toBe('active')
  expect(await isDue(id)).toBe(false)
})
`

const signals = (module) => {
  const [first] = module.resources
  return `import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { TrustReport } from '../../kernel/trust-signals.ts'

/**
 * Evidence for the trust score at a moment (ISO time): \`${module.signal.id}\`,
 * ${module.signal.formula}
 * Measured as the share of ${first.manyWords} that are in force.
 */
export async function ${module.variable}Signals(tx: Tx, at: string): Promise<TrustReport> {
  const row = await tx.first(
    sql<{ good: number; n: number }>\`
      select count(*) filter (where status = 'active' and (expires_at is null or expires_at > \${at}))::int as good,
        count(*)::int as n
      from ${first.table}\`,
  )
  const { good, n } = row ?? { good: 0, n: 0 }
  const source_ref = '/api/v1/${module.name}/${first.folder}'
  return { signals: [{ id: '${module.signal.id}', good, value: null, n, observed_at: at, source_ref }], caps: [] }
}
`
}

const signalsTest = (module) => {
  const [first] = module.resources
  return `import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type World } from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('the share of ${first.manyWords} in force is reported to the trust score', async () => {
  const { admin, id: tenantId } = await world.tenant('${module.name}-signals')
  const path = '/${module.name}/${first.folder}'
  const { id } = expectStatus(await admin.post(path, { name: 'one' }), 201).body.data
  expectStatus(await admin.post(path, { name: 'two' }), 201)
  expectStatus(await admin.patch(\`\${path}/\${id}\`, { status: 'retired' }), 200)
  const at = world.kernel.clock.iso()
  const reports = await world.kernel.db.tenant({ tenantId }, (tx) => world.kernel.trustReports(tx, at))
  const report = reports.find(({ module }) => module === '${module.name}')?.report
  expect(report?.signals).toMatchObject([{ id: '${module.signal.id}', good: 1, n: 2, observed_at: at }])
})
`
}
