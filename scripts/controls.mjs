/**
 * Holds the lists of docs/security against the tests, both ways: no promise without a test, no test of a promise that
 * nobody made, no page that tells something else.
 *
 *   node scripts/controls.mjs [--write] [--report vitest.json]...
 *
 * `--write` writes the pages; without it stale ones are faults. With reports of vitest's JSON reporter it also wants each
 * promise to have a test that passed in one of them. Ends with 0 when all is well, else with 1 and a line for each fault.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { asvsFaults } from './controls/asvs.mjs'
import { listFaults, matrixFaults, runFaults, titleFaults } from './controls/check.mjs'
import { asvsPage, controlsPage } from './controls/pages.mjs'
import { idsOf, titlesIn } from './controls/titles.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = 'docs/security'
const read = (path) => readFileSync(join(root, path), 'utf8')
const readList = (name) => JSON.parse(read(`${folder}/${name}.json`))

/** All titles of tests in the repository. */
export function readTitles() {
  const folders = ['apps', 'packages'].flatMap((kind) =>
    readdirSync(join(root, kind)).flatMap((name) =>
      ['src', 'test', 'train', 'eval'].map((part) => `${kind}/${name}/${part}`),
    ),
  )
  return folders
    .filter((path) => existsSync(join(root, path)))
    .flatMap((path) => readdirSync(join(root, path), { recursive: true }).map((name) => `${path}/${name}`))
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .sort()
    .flatMap(titlesOfFile)
}

function titlesOfFile(file) {
  const source = read(file)
  // Suites that several files share have other names than test files.
  if (!source.includes("from 'vitest'")) return []
  return titlesIn(source).map((title) => ({ ...title, file, withinIds: title.within.flatMap(idsOf) }))
}

/** The lists as they are, the pages as they should be, and the faults that need no run. */
export function examine() {
  const { controls } = readList('controls')
  const { requirements } = readList('asvs-5.0-level-2')
  const { matrices } = readList('matrices')
  const titles = readTitles()
  const pages = new Map([
    [`${folder}/controls.md`, controlsPage(controls, titles, matrices)],
    [`${folder}/asvs.md`, asvsPage(requirements)],
  ])
  const faults = [
    ...listFaults(controls),
    ...matrixFaults(matrices, controls),
    ...titleFaults(controls, titles),
    ...asvsFaults(requirements, controls, (path) => existsSync(join(root, path))),
  ]
  return { controls, titles, pages, faults }
}

/** Pages that are not as they should be. */
export function stale(pages) {
  return [...pages]
    .filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text)
    .map(([path]) => `${path} is stale: run \`node scripts/controls.mjs --write\`.`)
}

function main() {
  const options = {
    write: { type: 'boolean', default: false },
    report: { type: 'string', multiple: true, default: [] },
    elsewhere: { type: 'string', multiple: true, default: [] },
  }
  const { write, report, elsewhere } = parseArgs({ options }).values
  const { controls, titles, pages, faults } = examine()
  if (write) for (const [path, text] of pages) writeFileSync(join(root, path), text)
  const reports = report.map((path) => JSON.parse(readFileSync(path, 'utf8')))
  const ran = reports.length > 0 ? runFaults(controls, titles, reports, elsewhere) : []
  const found = [...faults, ...stale(pages), ...ran]
  for (const fault of found) console.error(fault)
  const claims = titles.filter(({ ids }) => ids.length > 0).length
  console.log(`${controls.length} controls, ${claims} titles that name them, ${found.length} faults`)
  process.exitCode = found.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
