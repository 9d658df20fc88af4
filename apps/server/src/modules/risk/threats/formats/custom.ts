/** Threats of one's own: a list of `{ external_id, type, name, … }`. Pure. Tested in formats.test.ts. */
import { threatTypes } from '../library/schema.ts'
import {
  type Content,
  fieldsAt,
  ImportFault,
  listAt,
  maybeTextAt,
  nothingElse,
  textAt,
  textsAt,
  wordAt,
} from './read.ts'

/** @throws ImportFault */
export function readCustom(document: unknown): Content {
  const threats = listAt(document, '/content').map((one, i) => {
    const pointer = `/content/${i}`
    const fields = fieldsAt(one, pointer)
    const id = textAt(fields, 'external_id', { pointer, most: 200 })
    const type = wordAt(fields, 'type', { pointer, words: threatTypes })
    if (type === undefined) throw new ImportFault(`${pointer}/type`, 'This is required.')
    return {
      key: `custom:${id}`,
      fields: {
        source: 'custom' as const,
        external_id: id,
        type,
        name: textAt(fields, 'name', { pointer }),
        tactics: textsAt(fields, 'tactics', pointer),
        platforms: textsAt(fields, 'platforms', pointer),
        parent_id: maybeTextAt(fields, 'parent_id', { pointer, most: 200 }),
        aliases: textsAt(fields, 'aliases', pointer),
        mitigations: textsAt(fields, 'mitigations', pointer),
        groups: textsAt(fields, 'groups', pointer),
      },
    }
  })
  return { ...nothingElse, threats }
}
