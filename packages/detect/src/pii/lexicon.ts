/** The words of all identifiers and topics in one tree. Tested in lexicon.test.ts. */
import { documentWords } from './documents/document-words.ts'
import { identifiers } from './identifiers/identifiers.ts'
import { genericWords } from './lexicon/languages.ts'
import { createWordTree, type WordTree } from './lexicon/word-tree.ts'
import { otherThings } from './other-things.ts'
import { phoneWords } from './phone/phone-words.ts'

export const lexicon: WordTree = createWordTree([
  ...identifiers.map(({ id, context }) => [id, context] as const),
  ...Object.entries(genericWords).map(([language, words]) => [`id:${language}`, words] as const),
  ...Object.entries(documentWords),
  ['phone', phoneWords],
  ['other-thing', otherThings],
])
