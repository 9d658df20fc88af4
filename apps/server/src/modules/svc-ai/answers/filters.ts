/** Filters of a question beside its sources. Tested in rag.test.ts. */
import Type, { type Static } from 'typebox'
import { strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import type { DatedPassage } from './passage.ts'

export const Filters = strictObject({
  phrase: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Stands in the passage, word for word; case does not count',
    }),
  ),
  media_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Of the document' })),
  after: Type.Optional(Timestamp),
  before: Type.Optional(Timestamp),
})
export type Filters = Static<typeof Filters>

/** @throws SVC-002 */
export function refuseContradiction({ after, before }: Filters): void {
  if (after === undefined || before === undefined || Date.parse(after) < Date.parse(before)) return
  throw errors
    .filtersContradict({ what: 'No document was added both after and before these times.' })
    .at([{ detail: 'is not later than `after`', pointer: '/filters/before' }])
}

const spaces = /\s+/g
const plain = (text: string): string => text.replaceAll(spaces, ' ').toLowerCase()

export function isWanted({ text, mediaType, createdAt }: DatedPassage, filters: Filters): boolean {
  const { phrase, media_type: type, after, before } = filters
  return (
    (phrase === undefined || plain(text).includes(plain(phrase))) &&
    (type === undefined || mediaType === type.toLowerCase()) &&
    (after === undefined || Date.parse(createdAt) > Date.parse(after)) &&
    (before === undefined || Date.parse(createdAt) < Date.parse(before))
  )
}
