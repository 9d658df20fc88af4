/**
 * Names of persons without a model: gazetteers, titles, labels, introductions and the shape of the writing.
 * Promises linear time and to read no more than 128 characters before a name and 48 after it; a rare name in running
 * prose without any cue is missed. Tested in names.test.ts.
 */
import type { Matcher } from '../../matcher.ts'
import { collectCased } from './cased.ts'
import { collectCaseless } from './caseless.ts'
import { collectEastAsian } from './east-asian.ts'
import { collectLowerCase } from './lower-case.ts'

/** PERSON: the name without title and possessive ending, scored by its cues. */
export const nameMatcher: Matcher = {
  types: ['PERSON'],
  collect: (text, from, found) => {
    collectCased(text, from, found)
    collectEastAsian(text, from, found)
    collectCaseless(text, from, found)
    collectLowerCase(text, from, found)
  },
}
