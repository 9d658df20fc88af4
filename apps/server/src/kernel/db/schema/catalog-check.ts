/**
 * Compares the database with the declarations and refuses the difference: an undeclared table, one without forced
 * row-level security and exactly the standard policies and grants, a foreign key that could cross tenants, a time
 * without its precision, a sort order without its index, a column that names a blob without its key. It promises that what runs is what was declared; it does not
 * look at data. Tested in catalog-check.test.ts.
 */

import { roles } from '../scope.ts'

import type { Table } from '../table.ts'
import type { CatalogTable } from './catalog.ts'
import { migrationTable } from './migrate.ts'
import { columnGrantsOf, grantsOf, policiesOf } from './secure.ts'

/** One sentence per difference; empty when all is as declared. */
export function differences(tables: readonly Table[], catalog: readonly CatalogTable[]): readonly string[] {
  const found = new Map(catalog.map((table) => [table.name, table]))
  const declared = new Map(tables.map((table) => [table.name, table]))
  return [
    ...catalog
      .filter(({ name }) => !declared.has(name) && name !== migrationTable)
      .map(({ name }) => `${name}: is not declared by any module`),
    ...tables.flatMap((table) => {
      const real = found.get(table.name)
      if (real === undefined) return [`${table.name}: is declared and does not exist`]
      return [...shapeDifferences(table, real, declared), ...securityDifferences(table, real)].map(
        (text) => `${table.name}: ${text}`,
      )
    }),
  ]
}

/** Faults that secureTable can repair. */
export function securityDifferences(table: Table, real: CatalogTable): readonly string[] {
  const secured = table.scope === 'tenant'
  const differences: string[] = []
  if (real.secured !== secured || real.forced !== secured) {
    differences.push(`row-level security is ${real.secured ? 'on' : 'off'}${real.forced ? ', forced' : ''}`)
  }
  const expected = policiesOf(table).map((policy) =>
    JSON.stringify([policy.name, [policy.role], policy.command, policy.using, policy.check, true]),
  )
  const actual = real.policies.map((policy) =>
    JSON.stringify([policy.name, policy.roles, policy.command, policy.using, policy.check, policy.permissive]),
  )
  if (!sameSet(expected, actual)) differences.push(`policies are ${actual.join(' ')}, not ${expected.join(' ')}`)
  const grants = [
    ...Object.entries(grantsOf(table)).flatMap(([role, all]) => all.map((privilege) => `${role}:${privilege}`)),
    ...columnGrantsOf(table).map((column) => `${roles.system}:select(${column})`),
  ]
  if (!sameSet(grants, real.grants)) differences.push(`grants are ${real.grants.join(', ')}, not ${grants.join(', ')}`)
  return differences
}

function shapeDifferences(table: Table, real: CatalogTable, declared: ReadonlyMap<string, Table>): readonly string[] {
  const columns = new Set(real.columns.map(({ name }) => name))
  return [
    ...tenantDifferences(table, real, declared),
    ...Object.keys(table.row.properties)
      .filter((name) => !columns.has(name))
      .map((name) => `column ${name} does not exist`),
    ...real.columns
      .filter(({ type }) => type.startsWith('timestamp') && type !== 'timestamp(3) with time zone')
      .map(({ name, type }) => `column ${name} is ${type}, not timestamptz(3)`),
    ...table.sorts
      .filter((sort) => sort !== 'id' && !hasIndex(table, real, sort))
      .map((sort) => `sorting by ${sort} has no index`),
    ...blobDifferences(table, real),
  ]
}

function tenantDifferences(table: Table, real: CatalogTable, declared: ReadonlyMap<string, Table>): readonly string[] {
  const hasTenant = real.columns.some(({ name }) => name === 'tenant_id')
  if (hasTenant !== (table.scope === 'tenant')) {
    return [hasTenant ? 'has a tenant_id and is declared for the platform' : 'has no tenant_id']
  }
  if (!hasTenant) return []
  return real.references
    .filter(({ to, columns }) => declared.get(to)?.scope === 'tenant' && !columns.includes('tenant_id'))
    .map(({ name, to }) => `foreign key ${name} to ${to} leaves out tenant_id`)
}

/** A blob is kept by the foreign key of the rows that name it, and the sweep looks for them. */
function blobDifferences(table: Table, real: CatalogTable): readonly string[] {
  const keys = real.references.filter(({ to }) => to === 'blob').map(({ columns }) => columns)
  return [
    ...table.blobs
      .filter((column) => !keys.some((columns) => columns.includes(column)))
      .map((column) => `column ${column} names a blob and has no foreign key to it`),
    ...table.blobs
      .filter((column) => !hasIndex(table, real, column))
      .map((column) => `column ${column} names a blob and has no index`),
    ...keys
      .filter((columns) => !columns.some((column) => table.blobs.includes(column)))
      .map((columns) => `foreign key of ${columns.join(', ')} names a blob and is not declared`),
  ]
}

function hasIndex(table: Table, real: CatalogTable, sort: string): boolean {
  const wanted = table.scope === 'tenant' ? ['tenant_id', sort] : [sort]
  return real.indexes.some((index) => wanted.every((name, place) => index[place] === name))
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item) => right.includes(item))
}
