/** Custom frameworks as a table (`id,parent,title,statement,weight`) or as JSON. Pure. Tested in read-task.test.ts. */
import Type, { type Static } from 'typebox'
import { readTable, TableFault } from '../../../kernel/http/body/csv-table.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import type { GroupDefinition } from '../oscal/definitions.ts'
import { DocumentFault, type Fault } from '../oscal/fault.ts'
import type { ImportedControl } from './content.ts'

const mostRows = 10_000
const mostFaults = 20

export interface CustomFramework {
  readonly groups: readonly GroupDefinition[]
  readonly controls: readonly ImportedControl[]
}

const form = {
  columns: ['id', 'parent', 'title', 'statement', 'weight'],
  required: ['id', 'title'],
  maxRows: mostRows,
  maxCell: 20_000,
}

/** @throws DocumentFault */
export function readFrameworkTable(text: string): CustomFramework {
  const rows = readRows(text)
  const faults = rows.flatMap(({ line, faults: own }) => own.map((detail) => ({ pointer: `/content/${line}`, detail })))
  refuse(faults)
  const controls = rows.map(({ line, cells }) =>
    custom(
      {
        ref: cells.get('id') ?? '',
        title: cells.get('title') ?? '',
        parent: cells.get('parent') ?? null,
        statement: cells.get('statement') ?? null,
        weight: cells.has('weight') ? Number(cells.get('weight')) : 1,
      },
      `/content/${line}`,
    ),
  )
  refuseBroken(controls, (index) => `/content/${rows[index]?.line ?? 0}`)
  return { groups: [], controls }
}

function readRows(text: string) {
  try {
    return readTable(text, form)
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    throw new DocumentFault('invalid', error.message, [{ pointer: '/content', detail: error.message }])
  }
}

const Text = (most: number) => Type.String({ minLength: 1, maxLength: most })
const CustomJson = strictObject({
  groups: Type.Optional(Type.Array(strictObject({ id: Text(250), title: Text(500) }), { maxItems: 2000 })),
  controls: Type.Array(
    strictObject({
      ref: Text(250),
      title: Text(500),
      group: Type.Optional(Text(250)),
      parent: Type.Optional(Text(250)),
      statement: Type.Optional(Text(20_000)),
      guidance: Type.Optional(Text(20_000)),
      weight: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    }),
    { minItems: 1, maxItems: mostRows },
  ),
})
const checkJson = lazyCheck(CustomJson)

/** @throws DocumentFault */
export function readFrameworkJson(value: unknown): CustomFramework {
  refuse(checkJson(value).map(({ pointer, detail }) => ({ pointer: `/content${pointer}`, detail })))
  const { groups = [], controls: given } = value as Static<typeof CustomJson>
  const known = new Set(groups.map(({ id }) => id))
  const controls = given.map((one, index) => {
    if (one.group !== undefined && !known.has(one.group))
      refuse([{ pointer: `/content/controls/${index}/group`, detail: 'is no group of the document' }])
    return {
      ...custom({ parent: null, statement: null, weight: 1, ...one }, `/content/controls/${index}`),
      group_ref: one.group ?? null,
      guidance: one.guidance ?? null,
    }
  })
  refuseBroken(controls, (index) => `/content/controls/${index}`)
  return { groups: groups.map((group) => ({ ...group, parent: null })), controls }
}

interface CustomRow {
  readonly ref: string
  readonly title: string
  readonly parent: string | null
  readonly statement: string | null
  readonly weight: number
}

function custom({ ref, title, parent, statement, weight }: CustomRow, pointer: string): ImportedControl {
  const faults: Fault[] = []
  if (ref === '' || ref.length > 250) faults.push({ pointer, detail: 'needs an id of at most 250 characters' })
  if (title === '' || title.length > 500) faults.push({ pointer, detail: 'needs a title of at most 500 characters' })
  if (!Number.isInteger(weight) || weight < 1 || weight > 3)
    faults.push({ pointer, detail: 'has a weight that is not 1, 2 or 3' })
  refuse(faults)
  return {
    ...{ ref, parent_ref: parent, group_ref: null, title, statement, guidance: null },
    ...{ withdrawn: false, needs_review: false, params: [], weight },
  }
}

/** A parent stands before its children, so that there is no circle. */
function refuseBroken(controls: readonly ImportedControl[], pointerOf: (index: number) => string): void {
  const seen = new Set<string>()
  const faults: Fault[] = []
  for (const [index, { ref, parent_ref: parent }] of controls.entries()) {
    if (seen.has(ref)) faults.push({ pointer: pointerOf(index), detail: `${ref} is there twice` })
    if (parent !== null && !seen.has(parent))
      faults.push({ pointer: pointerOf(index), detail: `the parent ${parent} does not stand before it` })
    seen.add(ref)
  }
  refuse(faults)
  if (controls.length === 0) refuse([{ pointer: '/content', detail: 'There is no control.' }])
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0)
    throw new DocumentFault('invalid', 'The framework cannot be read.', faults.slice(0, mostFaults))
}
