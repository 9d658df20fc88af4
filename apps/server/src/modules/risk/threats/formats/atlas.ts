/**
 * MITRE ATLAS as JSON: tactics, techniques, mitigations and case studies, at the top or in `matrices`. A sub-technique
 * lists no tactics of its own and has its parent's. Pure. Tested in formats.test.ts.
 */
import {
  type Content,
  type Fields,
  fieldsAt,
  ImportFault,
  listAt,
  nothingElse,
  type ReadThreat,
  textAt,
  textsAt,
} from './read.ts'

/** @throws ImportFault */
export function readAtlas(document: unknown): Content {
  const top = fieldsAt(document, '/content')
  if (top.id !== 'ATLAS') throw new ImportFault('/content/id', 'An ATLAS file has the id ATLAS.')
  const [matrix = top] = top.matrices === undefined ? [] : listAt(top.matrices, '/content/matrices')
  const place = matrix === top ? '/content' : '/content/matrices/0'
  const body = fieldsAt(matrix, place)
  const list = (name: string): readonly Part[] => partsOf(body[name] ?? [], `${place}/${name}`)
  const tactics = new Map(list('tactics').map((tactic) => [tactic.id, slug(tactic.name)]))
  const techniques = list('techniques')
  const known = new Map(techniques.map((technique) => [technique.id, technique]))
  const mitigations = list('mitigations')
  const name = top.case_studies === undefined ? 'case-studies' : 'case_studies'
  const studies = partsOf(top[name] ?? [], `/content/${name}`)
  const mitigatedBy = groupBy(mitigations, (one) => techniquesOf(one, known))
  const usedBy = groupBy(studies, (one) => stepsOf(one, known))
  return {
    ...nothingElse,
    threats: [
      ...list('tactics').map((part) => threatOf(part, 'tactic')),
      ...techniques.map((part) => ({
        key: `atlas:${part.id}`,
        fields: {
          ...threatOf(part, 'attack-pattern').fields,
          tactics: tacticsOf(part, known).map((id) => tactics.get(id) ?? id),
          parent_id: parentOf(part, known)?.id ?? null,
          mitigations: mitigatedBy.get(part.id) ?? [],
          groups: usedBy.get(part.id) ?? [],
        },
      })),
      ...mitigations.map((part) => threatOf(part, 'course-of-action')),
      ...studies.map((part) => threatOf(part, 'campaign')),
    ],
  }
}

interface Part {
  readonly id: string
  readonly name: string
  readonly fields: Fields
  readonly pointer: string
}

function partsOf(value: unknown, pointer: string): readonly Part[] {
  return listAt(value, pointer).map((one, i) => {
    const at = `${pointer}/${i}`
    const fields = fieldsAt(one, at)
    return {
      id: textAt(fields, 'id', { pointer: at, most: 100 }),
      name: textAt(fields, 'name', { pointer: at }),
      fields,
      pointer: at,
    }
  })
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

function threatOf(
  { id, name, fields, pointer }: Part,
  type: 'tactic' | 'attack-pattern' | 'course-of-action' | 'campaign',
): ReadThreat {
  const { modified = fields.modified_date } = fields
  const day = typeof modified === 'string' && /^\d{4}-\d\d-\d\d$/.test(modified) ? Date.parse(modified) : null
  if (Number.isNaN(day)) throw new ImportFault(`${pointer}/modified`, 'This must be a date.')
  return {
    key: `atlas:${id}`,
    fields: {
      source: 'atlas',
      external_id: id,
      type,
      name,
      modified_at: day === null ? null : new Date(day).toISOString(),
    },
  }
}

type Known = ReadonlyMap<string, Part>

function parentOf({ fields, pointer }: Part, known: Known): Part | null {
  const id = fields.subtechnique_of ?? fields['subtechnique-of']
  return id === undefined ? null : need(known, id, `${pointer}/subtechnique_of`)
}

function tacticsOf(part: Part, known: Known): readonly string[] {
  const own = textsAt(part.fields, 'tactics', part.pointer)
  const parent = parentOf(part, known)
  return own.length > 0 || parent === null ? own : textsAt(parent.fields, 'tactics', parent.pointer)
}

function techniquesOf({ fields, pointer }: Part, known: Known): readonly string[] {
  return listAt(fields.techniques ?? [], `${pointer}/techniques`).map((technique, i) => {
    const id = typeof technique === 'string' ? technique : fieldsAt(technique, `${pointer}/techniques/${i}`).id
    return need(known, id, `${pointer}/techniques/${i}`).id
  })
}

function stepsOf({ fields, pointer }: Part, known: Known): readonly string[] {
  return listAt(fields.procedure ?? [], `${pointer}/procedure`).map((step, i) => {
    const at = `${pointer}/procedure/${i}`
    return need(known, fieldsAt(step, at).technique, `${at}/technique`).id
  })
}

function need(known: Known, id: unknown, pointer: string): Part {
  const found = typeof id === 'string' ? known.get(id) : undefined
  if (found === undefined) throw new ImportFault(pointer, 'The file has no technique of this id.')
  return found
}

/** Ids of the parts by what they name, each once and in order. */
function groupBy(parts: readonly Part[], named: (part: Part) => readonly string[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, Set<string>>()
  for (const part of parts)
    for (const id of named(part)) {
      const group = groups.get(id) ?? new Set()
      groups.set(id, group.add(part.id))
    }
  return new Map([...groups].map(([id, ids]) => [id, [...ids].sort()]))
}
