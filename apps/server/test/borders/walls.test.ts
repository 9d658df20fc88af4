/** Folders are walls: the arrows between those of one area form no circle, type imports included, and none is crowded. */
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { type SourceFile, sources } from './sources.ts'

const mostFiles = 25

/** Lists to which each release appends: they grow without anybody having to read them. */
const appendOnly = /\/migrations$/

const files = [...sources('apps'), ...sources('packages')]

/** The kernel, each module and each package; of an area only imports within it count here. */
function areaOf(path: string): string | null {
  const area = /^(?:apps\/server\/src\/(?:kernel|modules\/[a-z-]+)|packages\/[a-z-]+)\//.exec(path)
  return area?.[0] ?? null
}

function grouped(keyOf: (path: string) => string | null): ReadonlyMap<string, readonly SourceFile[]> {
  const groups = new Map<string, SourceFile[]>()
  for (const file of files) {
    const key = keyOf(file.path)
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return groups
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

function folderGraph(area: readonly SourceFile[]): Graph {
  const known = new Set(area.map(({ path }) => path))
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of area) {
    const from = dirname(path)
    const targets = imports.filter((target) => known.has(target)).map((target) => dirname(target))
    graph.set(from, new Set([...(graph.get(from) ?? []), ...targets.filter((to) => to !== from)]))
  }
  return graph
}

function reachedFrom(graph: Graph, start: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...(graph.get(start) ?? [])]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue
    reached.add(at)
    open.push(...(graph.get(at) ?? []))
  }
  return reached
}

/** The strongly connected components of more than one folder. */
function circles(graph: Graph): readonly (readonly string[])[] {
  const folders = [...graph.keys()].toSorted()
  const reach = new Map(folders.map((folder) => [folder, reachedFrom(graph, folder)]))
  const meet = (one: string, other: string) => reach.get(one)?.has(other) && reach.get(other)?.has(one)
  return folders
    .map((folder) => folders.filter((other) => other === folder || meet(folder, other)))
    .filter((component, at) => component.length > 1 && component[0] === folders[at])
}

/** Each import that holds a circle together. */
function circularImports(area: readonly SourceFile[]): readonly string[] {
  return circles(folderGraph(area)).flatMap((circle) =>
    area
      .filter(({ path }) => circle.includes(dirname(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => circle.includes(dirname(target)) && dirname(target) !== dirname(path))
          .map((target) => `${path} imports ${target}`),
      ),
  )
}

test('the scanner finds circles, and tells them from other arrows', () => {
  const graph = new Map(
    Object.entries({ a: ['b', 'd'], b: ['c'], c: ['b'], d: [], e: ['f'], f: ['g'], g: ['e', 'a'] }).map(
      ([folder, targets]) => [folder, new Set(targets)],
    ),
  )
  expect(circles(graph)).toEqual([
    ['b', 'c'],
    ['e', 'f', 'g'],
  ])
  const file = (path: string, ...imports: string[]): SourceFile => ({ path, imports, text: '' })
  expect(circularImports([file('k/a.ts', 'k/in/b.ts'), file('k/in/b.ts', 'k/c.ts'), file('k/c.ts')])).toEqual([
    'k/a.ts imports k/in/b.ts',
    'k/in/b.ts imports k/c.ts',
  ])
})

test('no folders of the kernel, a module or a package import each other in a circle', () => {
  const areas = grouped(areaOf)
  expect([...areas.keys()]).toContain('apps/server/src/kernel/')
  expect(folderGraph(areas.get('apps/server/src/kernel/') ?? []).size).toBeGreaterThan(30)
  expect([...areas.values()].flatMap(circularImports)).toEqual([])
})

test(`no folder has more than ${mostFiles} source files, tests not counted`, () => {
  const folders = grouped(dirname)
  const crowded = [...folders].filter(([folder, { length }]) => length > mostFiles && !appendOnly.test(folder))
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
})
