/** One page a module: every route with who may call it, what it takes, answers and refuses. */
import { fullPath } from '../../apps/server/src/kernel/assembly/modules.ts'
import { listQuery } from '../../apps/server/src/kernel/http/list.ts'
import type { Module } from '../../apps/server/src/kernel/module/module.ts'
import type { Route } from '../../apps/server/src/kernel/module/route.ts'
import { fieldRows, formOf, plain, type Schema } from './fields.ts'
import { code, page, table } from './markdown.ts'

const headOf = ['Field', 'Form', 'Required', 'Meaning'] as const

export function apiPage(module: Module): string {
  const routes = module.routes.map(({ prefix, route }) => ({ path: fullPath(prefix, route.path), route }))
  return page(
    `# API: ${module.name}`,
    `${routes.length} routes. All answer the [envelope](../../explanation/architecture.md) and the errors of every route (\`API-…\`, \`AUTH-…\`, see [errors](../errors.md)); below stand those of their own. \`/openapi.json\` says the same for machines.`,
    ...routes.map(({ path, route }) => section(path, route)),
  )
}

function section(path: string, route: Route): string {
  return page(
    `## ${route.method} ${path}`,
    route.summary,
    route.description,
    facts(route),
    fields('Query', route.list === null ? queryOf(route) : plain(listQuery(route.list, route.query))),
    fields('Body', route.body === null ? null : plain(route.body)),
    answer(route),
    errors(route),
  ).trimEnd()
}

const queryOf = ({ query }: Route): Schema | null => (query === null ? null : plain(query))

function facts(route: Route): string {
  const marks = [
    `Permission: ${code(route.permission)}`,
    `rate class: ${code(route.rateClass)}`,
    ...(route.audit === null ? [] : [`audited as ${code(route.audit)}`]),
    ...(route.streams === null ? [] : [`streams ${code(route.streams)}`]),
    ...route.files.map((type) => `answers ${code(type)}`),
    ...(route.whileSuspended ? ['open to suspended tenants'] : []),
  ]
  return `${marks.join(' · ')}.`
}

function fields(title: string, schema: Schema | null): string | null {
  if (schema === null) return null
  const rows = fieldRows(schema)
  if (rows.length > 0) return `**${title}**\n\n${table(headOf, rows)}`
  return schema.anyOf === undefined ? null : `**${title}**: one of\n\n${variants(schema.anyOf)}`
}

const variants = (forms: readonly Schema[]): string =>
  forms
    .map((form) => fieldRows(form))
    .filter((rows) => rows.length > 0)
    .map((rows) => table(headOf, rows))
    .join('\n\nor\n\n')

function answer({ returns: [status, schema], list }: Route): string {
  const rows = fieldRows(plain(schema)).map(([path, form, , meaning]) => [path, form, meaning])
  const what = `**Answer**: ${status}${list === null ? '' : ', a list'}`
  if (rows.length === 0) return status === 204 || status === 303 ? what : `${what}, ${formOf(plain(schema))}`
  return `${what}\n\n${table(['Field', 'Form', 'Meaning'], rows)}`
}

function errors({ errors: own }: Route): string | null {
  if (own.length === 0) return null
  return `**Errors**: ${own.map(({ code: name, status, title }) => `${code(name)} ${status} ${title}`).join(' · ')}`
}
