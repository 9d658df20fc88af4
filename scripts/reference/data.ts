/** The page of what every table holds of people. */
import { schemaOf } from '../../apps/server/src/kernel/assembly/schema.ts'
import { type RegisteredData, registeredData } from '../../apps/server/src/kernel/data-registry/declarations.ts'
import type { Module } from '../../apps/server/src/kernel/module/module.ts'
import { code, page, table } from './markdown.ts'

export function dataPage(modules: readonly Module[]): string {
  const all = schemaOf(modules).tables.map(registeredData)
  const categories = [...new Set(all.map(({ category }) => category))].sort()
  return page(
    '# Data categories',
    'What every table holds of people, as its declaration says and as the data registry of the program knows it. *Whose* is the column of the user id whose row it is, *names* the columns of other user ids, *aliases* columns that name the person otherwise. *Kept* is an ISO 8601 duration, or `tenant` for as long as the tenant exists; what a setting or a policy says within it counts. *Erasure* is what becomes of the rows of a person who is erased. Copies can be removed at any time; everything else a legal hold keeps. How a table declares it: [add a module](../how-to/add-a-module.md#data-about-people).',
    ...categories.map((category) =>
      page(
        `## ${category}`,
        table(
          ['Table', 'Whose', 'Names', 'Aliases', 'Basis', 'Kept', 'At least', 'Erasure', 'Files and caches'],
          all.filter((one) => one.category === category).map(rowOf),
        ),
      ).trimEnd(),
    ),
  )
}

function rowOf(data: RegisteredData): string[] {
  return [
    `${code(data.table)}${data.isCopy ? ' (copy)' : ''}`,
    data.owner === null ? '' : code(data.owner),
    data.others.map(code).join(', '),
    data.aliases.map(({ column, kind }) => `${code(column)} (${kind.replace('_', ' ')})`).join(', '),
    data.basis?.replaceAll('_', ' ') ?? '',
    data.retention,
    data.minimum ?? '',
    data.erasure.replaceAll('_', ' '),
    [...data.blobs.map(code), ...data.caches].join(', '),
  ]
}
