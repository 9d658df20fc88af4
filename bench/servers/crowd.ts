/** The whole program with many people in one tenant and many tenants below it, put into the database as copies. */
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { BENCH_DATABASE_URL: database } = process.env
const people = Number(process.env.BENCH_PEOPLE ?? 100_000)
const tenants = Number(process.env.BENCH_TENANTS ?? 10_000)
const chunk = 5_000

const { program, port, token } = await startWholeProgram({
  ...(database !== undefined && { PARAPET_DATABASE_URL: database }),
})
const { db } = program.assembled.kernel
const root = await db.system('bench', (tx) => tx.first(sql<{ id: TenantId }>`select id from iam_tenant`))
if (root === null) throw new Error('there is no tenant')

for (let from = 1; from <= people; from += chunk) {
  await db.tenant({ tenantId: root.id }, (tx) =>
    tx.execute(sql`
      with person as (
        insert into iam_user
        select copy.* from iam_user model, generate_series(${from}::int, ${from + chunk - 1}::int) as n,
          lateral jsonb_populate_record(model, jsonb_build_object(
            'id', gen_random_uuid(), 'email', 'person-' || n || '@bench.example',
            'email_key', 'person-' || n || '@bench.example', 'display_name', 'Person ' || n,
            'created_at', model.created_at - n * interval '1 second')) as copy
        where model.email = 'bench@bench.example'
        returning id)
      insert into iam_user_role
      select copy.* from (select * from iam_user_role order by user_id limit 1) as model, person,
        lateral jsonb_populate_record(null::iam_user_role,
          to_jsonb(model) || jsonb_build_object('user_id', person.id)) as copy`),
  )
}
for (let from = 1; from <= tenants; from += chunk) {
  await db.system('bench', (tx) =>
    tx.execute(sql`
      insert into iam_tenant
      select copy.* from iam_tenant model,
        (select n, gen_random_uuid() as id from generate_series(${from}::int, ${from + chunk - 1}::int) as n) as made,
        lateral jsonb_populate_record(model, jsonb_build_object(
          'id', made.id, 'parent_id', model.id, 'path', jsonb_build_array(model.id, made.id),
          'name', 'Tenant ' || n, 'slug', 'tenant-' || n, 'created_at', model.created_at - n * interval '1 second')) as copy
      where model.id = ${root.id}`),
  )
}
answerUsage({ port, token })
