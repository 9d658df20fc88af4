/** Estates for tests of the module. */
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'
import { kinds, type Letter, letters, steps } from './small-estate.ts'

export const key = (letter: Letter): { source: string; id: string } => ({ source: 'estate', id: letter })

/** The small estate as bodies of assets. */
export const estate = () =>
  letters.map((letter) => ({
    ...{ kind: kinds[letter], name: `Asset ${letter}`, external_ids: [key(letter)] },
    ...{ entry_point: letter === 'I', crown_jewel: letter === 'D' },
    relationships: steps
      .filter(([from]) => from === letter)
      .map(([, to, kind, p]) => ({ kind, target: `estate:${to}`, p_override: p, reason: 'Oracle' })),
  }))

/** Writes the small estate and gives the ids of its assets. */
export async function addEstate({ admin }: Pick<TestTenant, 'admin'>): Promise<Record<Letter, string>> {
  const { items } = expectStatus(await admin.post('/cybertwins/assets', { assets: estate() }), 201).body.data
  return Object.fromEntries(letters.map((letter, place) => [letter, items[place].asset.id])) as Record<Letter, string>
}

export const told = (answer: { status: number; body: { error_code?: string; errors?: { pointer?: string }[] } }) => [
  answer.status,
  answer.body.error_code,
  answer.body.errors?.[0]?.pointer,
]
