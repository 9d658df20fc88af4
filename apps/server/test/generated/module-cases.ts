/**
 * Samples that the suites over all routes cannot derive from the declarations, from the module that they are about:
 * `modules/<name>/testing/cases.ts` or, in a module of several parts, `<part>-cases.ts` beside it. A suite fails with the
 * name of the sample that is missing. Tested by the suites that use it.
 */
import { existsSync, readdirSync } from 'node:fs'
import type { TestAnswer } from '../support/client.ts'
import type { TestTenant } from '../support/world.ts'
import type { Json } from './schema-values.ts'

/** Ids of one tenant's resources by the name of the path parameter that addresses them. */
export type Ids = Readonly<Record<string, string>>

/** The resource that a member of a query or a body names. */
export interface NamedId {
  /** The path parameter that addresses this kind of resource. */
  readonly kind: string
  readonly with: (id: string) => Json
  /** The caller's words, kept as they are: nothing is looked up, so nothing can be told. */
  readonly verbatim?: boolean
  /** Whether an id of one's own gives another answer than an id that nothing has. */
  readonly shows?: boolean
}

type By<T> = Readonly<Record<string, T>>

export interface ModuleCases {
  /** By member: which kind of resource it names, where the name alone does not say it. */
  readonly memberKinds?: By<string>
  /** By route: a body, where meaning asks for more than the form of its schema; `n` makes names differ. */
  readonly bodies?: By<(n: number, ids: Ids) => Json>
  /** By route that takes a file: one that it accepts; `n` makes them differ. Default: a line of text. */
  readonly files?: By<(n: number) => Uint8Array>
  /** By path parameter: where an id is found of a kind that is not made by a POST to its list. */
  readonly found?: By<(tenant: TestTenant) => Promise<TestAnswer>>
  /** By route and place, as in `GET /api/v1/iam/sessions query/user_id`: which resource a text names that is no UUID. */
  readonly idPlaces?: By<NamedId>
  /** Routes and places whose names look like ids and that name nothing that is stored with an id. */
  readonly noIds?: readonly string[]
  /** Path parameters of documents that are the same for everybody. */
  readonly constants?: readonly string[]
  /** Routes that one caller cannot reach in a row of calls; each has a test of its own of its audit entry. */
  readonly unreached?: readonly string[]
  /** Routes that change nothing as their sample asks, such as a dry run. */
  readonly unchanging?: readonly string[]
  /** Tables that the data of a filled tenant leaves empty: filled by rare events, or emptied by the work that reads them. */
  readonly emptyTables?: readonly string[]
  /** Facts that the data of a filled tenant does not move. */
  readonly unmovedFacts?: readonly string[]
  /** Read-only routes that leave an audit entry because of the data they show. */
  readonly looking?: readonly string[]
}

const modules = new URL('../../src/modules/', import.meta.url)

const all: readonly ModuleCases[] = await Promise.all(
  readdirSync(modules)
    .map((name) => new URL(`${name}/testing/`, modules))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)))
    .filter(({ pathname }) => /[/-]cases\.ts$/.test(pathname))
    .map(async (file) => (await import(file.href)).cases),
)

type Keyed = 'memberKinds' | 'bodies' | 'files' | 'found' | 'idPlaces'

/** The cases of all modules, by their keys. */
export function casesOf<K extends Keyed>(part: K): Required<ModuleCases>[K] {
  return Object.assign({}, ...all.map((cases) => cases[part]))
}

/** The names of all modules. */
export function casesAmong(part: Exclude<keyof ModuleCases, Keyed>): ReadonlySet<string> {
  return new Set(all.flatMap((cases) => cases[part] ?? []))
}
