import Type, { type TUnsafe } from 'typebox'

/** A query parameter that names members of the answer, with commas between them. */
export function includeOf<const W extends readonly string[]>(...words: W): TUnsafe<string> {
  const word = `(${words.join('|')})`
  return Type.Unsafe<string>({
    type: 'string',
    pattern: `^${word}(,${word})*$`,
    maxLength: 100,
    description: `Members of the answer beside the usual ones, with commas between them: ${words.join(', ')}`,
  })
}

/** The members that were named. */
export const includedIn = (text: string | undefined): ReadonlySet<string> => new Set((text ?? '').split(','))
