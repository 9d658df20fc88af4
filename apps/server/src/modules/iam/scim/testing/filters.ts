/** For tests: random filters over real people, and the result of an in-memory reading of the same filter. */
import fc from 'fast-check'
import { userSchema } from '../attributes.ts'
import { comparisons, parseFilter } from '../filter.ts'
import { type Document, isDocument, matches } from '../match.ts'

export interface FilterReference {
  readonly filters: fc.Arbitrary<string>
  /** Ids in the order of lists. */
  expected(filter: string): readonly unknown[]
}

type ReadList = (query: Readonly<Record<string, string>>) => Promise<Document>

export async function filterReference(read: ReadList): Promise<FilterReference> {
  const { Resources } = await read({ count: '200' })
  const people = (Array.isArray(Resources) ? Resources : []).filter(isDocument)
  return {
    filters: filterOf(valuesIn(people)),
    expected: (filter) => {
      const read = parseFilter(userSchema, filter)
      return people.filter((person) => matches(read, person)).map(({ id }) => id)
    },
  }
}

function valuesIn(people: readonly Document[]): readonly string[] {
  const texts = (value: unknown): readonly string[] => {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
  }
  return [...new Set(people.flatMap(texts))]
}

const textPaths = [
  'userName',
  'displayName',
  'title',
  'externalId',
  'id',
  'name.givenName',
  'name.familyName',
  'emails.value',
  'emails',
  'emails.type',
  'locale',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
]

function filterOf(known: readonly string[]): fc.Arbitrary<string> {
  // Case is a matter of ASCII here: userName alone is folded further, which its own index does.
  const literal = fc
    .oneof(
      fc.constantFrom(...known),
      fc.constantFrom(...known).map((text) => text.slice(0, 4).toUpperCase()),
      fc.constantFrom('', '%', '_', '\\', "'", '"', 'é', '😀', 'Ω'),
      fc.string({ maxLength: 5 }),
    )
    .map((text) => JSON.stringify(text))
  const text = fc.tuple(fc.constantFrom(...textPaths), fc.constantFrom(...comparisons), literal)
  const inside = fc.tuple(fc.constantFrom('value', 'type'), fc.constantFrom(...comparisons), literal)
  const term = fc.oneof(
    text.map((words) => words.join(' ')),
    fc.constantFrom(...textPaths, 'name', 'emails', 'active', 'phoneNumbers').map((path) => `${path} pr`),
    fc.tuple(fc.constantFrom('eq', 'ne'), fc.boolean()).map(([op, value]) => `active ${op} ${value}`),
    inside.map((words) => `emails[${words.join(' ')} and not (primary eq false)]`),
    fc.constantFrom('gt', 'ge', 'lt', 'le').map((op) => `meta.created ${op} "2026-11-22T00:00:00Z"`),
  )
  return fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3 },
      term,
      fc.tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter')).map((parts) => `(${parts.join(' ')})`),
      tie('filter').map((part) => `not (${part})`),
    ),
  })).filter
}
