import { ProblemError } from '../../../kernel/errors/problem.ts'
import { parseBody } from '../../../kernel/http/body/json-body.ts'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { definitionsOf } from '../oscal/definitions.ts'
import { DocumentFault } from '../oscal/fault.ts'
import type { Catalog } from '../oscal/model.ts'
import { readOscal } from '../oscal/read.ts'
import { resolveProfile } from '../oscal/resolve.ts'
import type { Content, FrameworkContent } from './content.ts'
import { readMappings } from './read-mappings.ts'
import { readFrameworkJson, readFrameworkTable } from './read-table.ts'

export interface DocumentToRead {
  readonly source: 'oscal' | 'csv' | 'json'
  readonly text: string
  /** Catalogs that a profile imports, in the order of its imports, as text; one stands for all. */
  readonly bases: readonly string[]
  /** Of a resolved catalog. */
  readonly uuid: string
  /** ISO 8601. */
  readonly at: string
}

/** Values of the largest catalog that is meant to be imported, and some more. */
const maxValues = 2_000_000

/** Reads the text of a document, or says where it is not of its form. */
export const readFramework: ThreadTask<DocumentToRead, Content> = {
  name: 'compliance.read_framework',
  run: (document) => {
    try {
      return contentOf(document)
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error
      const { kind, message, faults } = error
      return { kind: 'fault', fault: { kind, message, faults } }
    }
  },
}

function contentOf(document: DocumentToRead): Content {
  const { source, text } = document
  if (source === 'oscal') return oscalContent(document)
  const read = source === 'csv' ? readFrameworkTable(text) : readFrameworkJson(parsed(text))
  return { kind: 'framework', title: '', edition: '', ...read, catalog: null, warnings: [] }
}

function oscalContent(document: DocumentToRead): Content {
  const read = readOscal(parsed(document.text))
  if (read.model === 'mapping-collection') return readMappings(read.content)
  if (read.model === 'catalog') return frameworkOf(read.content, document.text, [])
  const { imports, uuid, metadata } = read.content
  if (imports.some(({ href }) => href === `#${uuid}`))
    throw new DocumentFault('unresolved', 'The profile imports itself.', [
      { pointer: '/profile/imports', detail: 'names the profile itself' },
    ])
  const { catalog, promoted } = resolveProfile({
    profile: read.content,
    bases: basesOf(document, imports.length),
    uuid: document.uuid,
    at: document.at,
  })
  const warnings =
    promoted.length === 0
      ? []
      : [`Kept in the place of their parents, which are not selected: ${promoted.join(', ').slice(0, 800)}.`]
  const content = frameworkOf(catalog, JSON.stringify({ catalog }), warnings)
  return { ...content, title: metadata.title.slice(0, 500), edition: metadata.version.slice(0, 100) }
}

function basesOf({ bases }: DocumentToRead, imports: number): readonly Catalog[] {
  if (bases.length !== 1 && bases.length !== imports)
    throw new DocumentFault(
      'unresolved',
      `The profile has ${imports} imports. Send \`base_framework_ids\` with the framework of each; nothing is fetched.`,
      [{ pointer: '/profile/imports', detail: `names ${imports} catalogs` }],
    )
  const read = bases.map((text) => {
    const document = readOscal(parsed(text))
    if (document.model !== 'catalog') throw new TypeError('a stored framework that is no catalog')
    return document.content
  })
  return Array.from({ length: imports }, (_, index) => read[index] ?? read[0]).flatMap((one) => one ?? [])
}

function frameworkOf(catalog: Catalog, text: string, warnings: readonly string[]): FrameworkContent {
  const { groups, controls } = definitionsOf(catalog)
  const review = controls.filter((control) => control.needs_review).length
  return {
    kind: 'framework',
    title: catalog.metadata.title.slice(0, 500),
    edition: catalog.metadata.version.slice(0, 100),
    groups,
    controls: controls.map((control) => ({ ...control, weight: 1 })),
    catalog: text,
    warnings: [
      ...warnings,
      ...(review === 0
        ? []
        : [
            `${review} controls look like left-overs of an earlier edition. They are not scored until they are reviewed.`,
          ]),
    ],
  }
}

/** JSON as strictly as a body: its nesting and the number of its values are bounded. */
function parsed(text: string): unknown {
  try {
    return parseBody(Buffer.from(text), { anyText: false, maxValues })
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const [part] = error.parts
    const detail = (part?.detail ?? error.message).replace('The body', 'The content')
    throw new DocumentFault('invalid', detail, [{ pointer: `/content${part?.pointer ?? ''}`, detail }])
  }
}
