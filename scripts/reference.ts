/**
 * The reference pages, made from the same declarations that serve, validate and document the routes.
 *
 *   node --import tsx scripts/reference.ts [--write]
 *
 * `--write` writes docs/reference/api and the pages beside it; without it a page that says something else is named and the
 * end is 1. The tests hold them as well.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { modules } from '../apps/server/src/modules.ts'
import { apiPage } from './reference/api.ts'
import { dataPage } from './reference/data.ts'
import { factsPage } from './reference/facts.ts'
import { echoPage, errorsPage, eventsPage, policyPage, providersPage, settingsPage } from './reference/lists.ts'

const folder = join(fileURLToPath(new URL('..', import.meta.url)), 'docs/reference')

/** Every page by its path below docs/reference. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ...modules.map((module): [string, string] => [`api/${module.name}.md`, apiPage(module)]),
    ['data.md', dataPage(modules)],
    ['errors.md', errorsPage(modules)],
    ['events.md', eventsPage(modules)],
    ['facts.md', factsPage(modules)],
    ['settings.md', settingsPage(modules)],
    ['policy-document.md', policyPage()],
    ['providers.md', providersPage()],
    ['echo.md', echoPage()],
  ])
}

/** Pages that are missing or say something else. */
export function stalePages(): readonly string[] {
  return [...referencePages()]
    .filter(([path, text]) => !existsSync(join(folder, path)) || readFileSync(join(folder, path), 'utf8') !== text)
    .map(([path]) => path)
}

function write(): void {
  for (const [path, text] of referencePages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--write')) write()
  const stale = stalePages()
  for (const path of stale) console.error(`docs/reference/${path} is not what the declarations say`)
  process.exitCode = stale.length === 0 ? 0 : 1
}
