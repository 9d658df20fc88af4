/**
 * Types of the API for the console, from the same declarations that make the OpenAPI document. openapi-typescript needs
 * TypeScript 5, of which the repository has none; the document's schemas stand inline and need no more than this.
 *
 *   node --import tsx scripts/console/api-types.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modules } from '../../apps/server/src/modules.ts'
import { type Json, members, typeOf } from './schema-types.ts'

const target = fileURLToPath(new URL('../../apps/console/src/api/generated/api.d.ts', import.meta.url))
const prefix = '/api/v1'

interface Operation {
  readonly method: string
  readonly path: string
  readonly text: string
}

/** Routes of vendors' and standards' forms are no business of the console. */
function operations(): readonly Operation[] {
  return modules.flatMap(({ routes }) =>
    routes
      .filter((placed) => !placed.prefix.startsWith('/') && placed.route.raw === null)
      .map(({ prefix: module, route }) => ({
        method: route.method,
        path: `/${module}${route.path}`,
        text: operation(route),
      })),
  )
}

type Route = (typeof modules)[number]['routes'][number]['route']

function operation(route: Route): string {
  const list =
    route.list === null ? {} : { limit: { type: 'integer' }, cursor: { type: 'string' }, sort: { type: 'string' } }
  const query = { ...((route.query as Json | null)?.properties as Json | undefined), ...list }
  return [
    `data: ${typeOf(route.returns[1] as Json)}`,
    `query: ${members(query, [])}`,
    `list: ${route.list !== null}`,
    `body: ${route.body === null ? 'undefined' : typeOf(route.body as Json)}`,
  ].join('; ')
}

function interfaceOf(name: string, method: string): string {
  const lines = operations()
    .filter((one) => one.method === method)
    .map(({ path, text }) => `  '${path}': { ${text} }`)
  return `export interface ${name} {\n${lines.join('\n')}\n}\n`
}

mkdirSync(dirname(target), { recursive: true })
writeFileSync(
  target,
  [
    `/** Below ${prefix}, by path. Made by scripts/console/api-types.ts; not kept in the repository. */`,
    interfaceOf('Gets', 'GET'),
    interfaceOf('Posts', 'POST'),
    interfaceOf('Patches', 'PATCH'),
    interfaceOf('Deletes', 'DELETE'),
  ].join('\n'),
)
