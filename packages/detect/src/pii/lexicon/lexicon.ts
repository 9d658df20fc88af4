/** The words of all identifiers and topics in one tree. Tested in lexicon.test.ts. */
import { documentWords } from '../documents/document-words.ts'
import { identifiers } from '../identifiers.ts'
import { phoneWords } from '../phone/phone-words.ts'
import { genericWords } from './languages.ts'
import { otherThings } from './other-things.ts'
import { createWordTree, type WordTree } from './word-tree.ts'

export const lexicon: WordTree = createWordTree([
  ...identifiers.map(({ id, context }) => [id, context] as const),
  ...Object.entries(genericWords).map(([language, words]) => [`id:${language}`, words] as const),
  ...Object.entries(documentWords),
  ['phone', phoneWords],
  ['other-thing', otherThings],
])
