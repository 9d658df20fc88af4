/**
 * Names of persons without a model: gazetteers, titles, labels, introductions and the shape of the writing.
 * Promises linear time and to read no more than 128 characters before a name and 48 after it; a rare name in running
 * prose without any cue is missed. Tested in names.test.ts.
 */
import type { Matcher } from '../../base/matcher.ts'
import { unlimited } from '../base/effort.ts'
import { collectCased } from './cased.ts'
import { collectCaseless } from './caseless.ts'
import { collectEastAsian } from './east-asian.ts'
import { collectLowerCase } from './lower-case.ts'

/** PERSON: the name without title and possessive ending, scored by its cues. */
export const nameMatcher: Matcher = {
  types: ['PERSON'],
  collect: (text, from, found, effort = unlimited()) => {
    collectCased(text, { from, found, effort })
    collectEastAsian(text, { from, found, effort })
    collectCaseless(text, { from, found, effort })
    collectLowerCase(text, { from, found, effort })
  },
}
