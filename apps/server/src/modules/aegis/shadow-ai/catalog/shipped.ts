/** The catalog that is shipped: our own words, as data beside this file. Tested in shipped.test.ts. */

import { fits } from '../../../../kernel/schema/fits.ts'
import agents from './data/agents.json' with { type: 'json' }
import apis from './data/apis.json' with { type: 'json' }
import chat from './data/chat.json' with { type: 'json' }
import code from './data/code.json' with { type: 'json' }
import media from './data/media.json' with { type: 'json' }
import office from './data/office.json' with { type: 'json' }
import { CatalogEntry } from './schema.ts'

const data: readonly unknown[] = [...chat, ...code, ...apis, ...media, ...office, ...agents]

/** @throws TypeError for data that is not in the form of an entry, so that a mistake in it stops the start */
function entriesOf(items: readonly unknown[]): readonly CatalogEntry[] {
  return items.map((item, at) => {
    if (!fits(CatalogEntry, item)) throw new TypeError(`The entry ${at} of the shipped catalog is malformed`)
    return item
  })
}

export const shippedCatalog: readonly CatalogEntry[] = entriesOf(data)

const bySlug: ReadonlyMap<string, CatalogEntry> = new Map(shippedCatalog.map((entry) => [entry.slug, entry]))

export const shippedEntry = (slug: string): CatalogEntry | null => bySlug.get(slug) ?? null
