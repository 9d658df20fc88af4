/**
 * Protection of every declared table: row-level security, the standard policies and the grants. It is
 * the one place that says what a role may do, so that no migration can say something else. The statements may run
 * again at any time; catalog-check.ts decides whether they have to. Tested by the contract suite.
 */
import { roles } from '../scope.ts'
import type { Table } from '../table.ts'

const privileges = ['delete', 'insert', 'select', 'update'] as const
export type Privilege = (typeof privileges)[number]

export interface Policy {
  readonly name: string
  readonly role: string
  readonly command: 'all' | 'insert' | 'select'
  /** Null for commands that read nothing. */
  readonly using: string | null
  /** Null for commands that write nothing. */
  readonly check: string | null
}

// As PostgreSQL prints them back, 15 to 18; compared literally by the catalog check.
const tenantOfTransaction = "(NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid"
/** As a sub-select, because the setting would be read for every row that a statement looks at. */
const ofOwnTenant = `(tenant_id = ( SELECT ${tenantOfTransaction} AS own))`
/** Rows are written one by one, and for one row the sub-select costs more than it saves. */
const forOwnTenant = `(tenant_id = ${tenantOfTransaction})`

type Facts = Pick<Table, 'name' | 'scope' | 'system' | 'dueBy' | 'blobs' | 'append' | 'appendAsks' | 'appendOnly'>

export function policiesOf(table: Facts): readonly Policy[] {
  if (table.scope === 'platform') return []
  const { name } = table
  const policies: Policy[] = [
    { name: `${name}_tenant`, role: roles.app, command: 'all', using: ofOwnTenant, check: forOwnTenant },
  ]
  if (table.system) {
    policies.push({ name: `${name}_system`, role: roles.system, command: 'all', using: 'true', check: 'true' })
  }
  if (isDue(table)) {
    policies.push({ name: `${name}_due`, role: roles.system, command: 'select', using: 'true', check: null })
  }
  if (table.append) {
    policies.push({ name: `${name}_append`, role: roles.log, command: 'insert', using: null, check: 'true' })
  }
  if (table.appendAsks) {
    policies.push({ name: `${name}_append_asks`, role: roles.log, command: 'select', using: 'true', check: null })
  }
  return policies
}

/** The schedule and the sweep of blobs read some columns of all tenants' rows; system tables are readable as a whole already. */
function isDue({ scope, system, dueBy, blobs }: Facts): boolean {
  return scope === 'tenant' && !system && dueBy.length + blobs.length > 0
}

/** Columns that the system role may select where it may not select the table. */
export function columnGrantsOf(table: Facts): readonly string[] {
  return isDue(table) ? [...new Set(['tenant_id', ...table.dueBy, ...table.blobs])] : []
}

/** Privileges by role. No role changes rows of append-only tables; only retention, a system job, removes them. */
export function grantsOf(table: Facts): Readonly<Record<string, readonly Privilege[]>> {
  const system = table.system || table.scope === 'platform'
  const ofSystem: readonly Privilege[] = table.appendOnly ? ['delete', 'insert', 'select'] : privileges
  return {
    [roles.app]: table.appendOnly ? ['insert', 'select'] : privileges,
    [roles.system]: system ? ofSystem : [],
    [roles.log]: [...(table.append ? ['insert' as const] : []), ...(table.appendAsks ? ['select' as const] : [])],
  }
}

/** The script that brings one table to its standard; names come from declarations, never from input. */
export function secureTable(table: Facts): string {
  const { name } = table
  const security =
    table.scope === 'platform'
      ? []
      : [`alter table ${name} enable row level security`, `alter table ${name} force row level security`]
  const policies = policiesOf(table).flatMap((policy) => [
    `drop policy if exists ${policy.name} on ${name}`,
    `create policy ${policy.name} on ${name} for ${policy.command} to ${policy.role}${
      policy.using === null ? '' : ` using (${policy.using})`
    }${policy.check === null ? '' : ` with check (${policy.check})`}`,
  ])
  const columns = columnGrantsOf(table)
  // Taking a table's privileges takes those of its columns, too.
  const grants = [
    ...Object.entries(grantsOf(table)).flatMap(([role, granted]) => [
      `revoke all on ${name} from ${role}`,
      ...(granted.length > 0 ? [`grant ${granted.join(', ')} on ${name} to ${role}`] : []),
    ]),
    ...(columns.length > 0 ? [`grant select (${columns.join(', ')}) on ${name} to ${roles.system}`] : []),
  ]
  return [...security, ...policies, `revoke all on ${name} from public`, ...grants].map((line) => `${line};`).join('\n')
}
