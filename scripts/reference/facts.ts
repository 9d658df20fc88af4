/** The page of what modules may read of each other by name. */
import type { Module } from '../../apps/server/src/kernel/module/module.ts'
import { fieldRows, plain } from './fields.ts'
import { code, page, table } from './markdown.ts'

export function factsPage(modules: readonly Module[]): string {
  const sections = modules
    .flatMap(({ facts }) => facts)
    .map(({ name, description, permission, schema, query }) => {
      const asked = fieldRows(plain(query)).map(([path, form, , meaning]) => [path, form, meaning])
      return page(
        `## ${name}`,
        `${description} Read with ${code(permission)}.`,
        asked.length === 0 ? null : `Query:\n\n${table(['Field', 'Form', 'Meaning'], asked)}`,
        table(
          ['Field', 'Form', 'Meaning'],
          fieldRows(plain(schema)).map(([path, form, , meaning]) => [path, form, meaning]),
        ),
      ).trimEnd()
    })
  return page(
    '# Facts',
    'Data that modules publish about themselves for compliance checks, reports, knowledge sources and models of attacks and outages. A fact is read by name, in a transaction of its tenant, with the permission of whoever asks; each reading has the moment and the owner beside the data. How a module declares and reads them: [add a module](../how-to/add-a-module.md#facts).',
    ...sections,
  )
}
